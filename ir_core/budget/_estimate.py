"""What a comparison will take, told before anything is sent: calls, tokens, seconds, dollars, and what goes where."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ir_core import prompts
from ir_core.budget._leaving import NOTHING_LEAVES, Sent, named
from ir_core.budget._purse import Spent
from ir_core.prompts._render import MAX_TURNS
from ir_core.protocols import Writer
from ir_core.schema import Foreseen, Task, Turn
from ir_core.transforms import TRANSFORMS
from ir_core.writers._llm_slots import MAX_AT_ONCE

Choice = tuple[str, Mapping[str, Any]]
"""A transform's name and its settings, as ``compare`` takes them."""
NO_DOCUMENTS = "Nothing of the documents goes there: no text, no file path, no dependency, no filter field."
PASSAGES = (
    "Passages of the documents it finds first go there, too, for the transforms that read before they write; no file "
    "path, no dependency and no filter field."
)
SAMPLED_APART = frozenset({"hyde"})
"""Tasks whose ``n`` texts are as many calls."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """None is unknown. Tokens are counted by characters, replies at their usual length, retries not at all.

    Of the ``calls``, ``kept`` have a reply from before, which takes no tokens, seconds or dollars.
    ``sends_to`` is the host that is asked, None when nothing leaves the machine; ``leaves`` says so in sentences.
    ``sent`` is what a run over many queries sends there, None where it sends nothing.
    """

    calls: int
    tokens_in: int | None
    tokens_out: int | None
    seconds: float | None
    cost_usd: float | None
    sends_to: str | None
    leaves: tuple[str, ...]
    kept: int = 0
    sent: Sent | None = None

    @property
    def tokens(self) -> int | None:
        return None if self.tokens_in is None or self.tokens_out is None else self.tokens_in + self.tokens_out


def estimate(
    transforms: Sequence[Choice],
    writer: Writer,
    query: str,
    history: Sequence[Turn] = (),
    *,
    corpus_language: str | None = None,
    spent: Spent | None = None,
    anew: bool = False,
) -> Estimate:
    """What these transforms of one query take. Nothing is sent, opened or imported.

    :param spent: what earlier calls to the same model took: seconds, and the price where no table has one.
    :param anew: True where kept replies are passed over, so that every call is made.
    :raises UnknownName, BadSetting: for a transform or a setting there is not.
    """
    made = (TRANSFORMS.make(name, settings) for name, settings in transforms)
    tasks = [task for one in dict.fromkeys(made) for task in one.tasks(query, history) if task.name in writer.tasks]
    leaves = _leaves(writer, history, any(prompts.reads_hits(task.name) for task in tasks))
    return estimate_tasks(tasks, writer, leaves, corpus_language=corpus_language, spent=spent, anew=anew)


def estimate_tasks(
    tasks: Sequence[Task],
    writer: Writer,
    leaves: tuple[str, ...],
    *,
    corpus_language: str | None = None,
    spent: Spent | None = None,
    anew: bool = False,
) -> Estimate:
    """The same of tasks that are no transform's. ``leaves`` says what goes where; the rest as :func:`estimate`."""
    whole = [foresee(writer, task, corpus_language) for task in tasks]
    kept = [0 if anew else _kept(writer, task, corpus_language) for task in tasks]
    parts = [_asked(part, number) for part, number in zip(whole, kept, strict=True)]
    calls = sum(part.calls for part in parts)
    cost = _total([part.cost_usd for part in parts])
    if cost is None and spent is not None and spent.usd_each is not None:
        cost = spent.usd_each * calls
    each = 0.0 if not calls else spent.seconds_each if spent else None
    return Estimate(
        calls=sum(part.calls for part in whole),
        tokens_in=_total([part.tokens_in for part in parts]),
        tokens_out=_total([part.tokens_out for part in parts]),
        seconds=None if each is None else each * math.ceil(calls / MAX_AT_ONCE),
        cost_usd=cost,
        sends_to=_sends_to(writer),
        leaves=leaves,
        kept=sum(part.calls for part in whole) - calls,
    )


def foresee(writer: Writer, task: Task, corpus_language: str | None) -> Foreseen:
    """What the writer says a task will take; where it cannot, the calls alone, which cost nothing as long as nothing
    leaves the machine."""
    own = getattr(writer, "foresee", None)
    if callable(own):
        found: Foreseen = own(task, corpus_language)
        return found
    calls = task.n if writer.is_llm and task.name in SAMPLED_APART else 1
    tokens = None if writer.is_llm else 0
    return Foreseen(calls, tokens, tokens, 0.0 if _sends_to(writer) is None else None)


def _kept(writer: Writer, task: Task, corpus_language: str | None) -> int:
    own = getattr(writer, "kept", None)
    return int(own(task, corpus_language)) if callable(own) else 0


def _asked(part: Foreseen, kept: int) -> Foreseen:
    """What is left of a task whose calls are alike when ``kept`` of them need not be made."""
    left = part.calls - kept
    if not kept or left <= 0:
        return Foreseen(0, 0, 0, 0.0) if kept else part
    tokens_in, tokens_out = (
        None if value is None else value * left // part.calls for value in (part.tokens_in, part.tokens_out)
    )
    cost = None if part.cost_usd is None else part.cost_usd * left / part.calls
    return Foreseen(left, tokens_in, tokens_out, cost)


def _sends_to(writer: Writer) -> str | None:
    """A model that does not say where it is asked is not said to be here."""
    found: str | None = getattr(writer, "sends_to", writer.label if writer.is_llm else None)
    return found


def _leaves(writer: Writer, history: Sequence[Turn], passages: bool) -> tuple[str, ...]:
    host = _sends_to(writer)
    if host is None:
        return (NOTHING_LEAVES,)
    turns = min(len(history), MAX_TURNS) if getattr(writer, "reads_history", False) else 0
    said = f" and {turns} earlier {'turn' if turns == 1 else 'turns'}" if turns else ""
    verb = "go" if said else "goes"
    return (f"Your query{said} {verb} to {named(host)}.", PASSAGES if passages else NO_DOCUMENTS)


def _total(parts: Sequence[Any]) -> Any:
    """The sum, or None as soon as one part is unknown."""
    return None if any(part is None for part in parts) else sum(parts)
