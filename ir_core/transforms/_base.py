"""What all transforms share: the original is recorded, and a writer that fails never makes retrieval worse."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from ir_core import prompts
from ir_core.errors import Cancelled, QueryPrismError
from ir_core.protocols import RunContext, Timer
from ir_core.schema import ORIGINAL, Formulation, Query, Task, Turn, Written
from ir_core.secrets import log_failure
from ir_core.text import normalise

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class BaseTransform:
    """A subclass says what it makes in ``compose``; ``needs_writer`` False means it never asks for text."""

    name: ClassVar[str]
    label: ClassVar[str]
    summary: ClassVar[str]
    reference: ClassVar[str] = ""
    aliases: ClassVar[tuple[str, ...]] = ()
    needs_writer: ClassVar[bool] = True

    def task(self, query: str, history: Sequence[Turn]) -> Task:
        """What a writer is asked for, where one text or list is all that is needed."""
        return Task(self.name, query, tuple(history))

    def tasks(self, query: str, history: Sequence[Turn]) -> tuple[Task, ...]:
        """See ``protocols.Transform``: what it will cost is told from this."""
        return (self.task(query, history),) if self.needs_writer else ()

    @property
    def most_texts(self) -> int:
        """How many query texts it may make of one, at most; passages are none. What a chain's next step works on."""
        known = [task for task in self.tasks("", ()) if task.name in prompts.tasks()]
        return 1 + sum(task.n for task in known if prompts.load(task.name).reply != "passage")

    def compose(self, original: Query, history: Sequence[Turn], context: RunContext) -> Formulation:
        """The queries to search. May raise any ``QueryPrismError``: ``formulate`` then falls back."""
        raise NotImplementedError

    def formulate(self, query: str, history: Sequence[Turn], context: RunContext) -> Formulation:
        """See ``protocols.Transform``: on any failure of the writer the original is searched, and the reason kept.

        :raises Cancelled: when a newer query took over.
        """
        timer = Timer()
        original = Query(ORIGINAL, query)
        try:
            made = self.compose(original, history, context)
        except Cancelled:
            raise
        except QueryPrismError as error:
            made = self.unchanged(original, fallback_reason=str(error))
        except Exception as error:
            reference = log_failure(log, f"transform {self.name} failed", error)
            reason = f"The writer failed unexpectedly (reference {reference})."
            made = self.unchanged(original, fallback_reason=reason)
        context.check()
        return replace(
            made,
            saw_history=made.saw_history or (bool(history) and _history_was_read(context)),
            calls=context.calls,
            steps=made.steps or context.searcher.steps,
            started=timer.started,
            seconds=timer.seconds,
        )

    def unchanged(
        self, original: Query, *notes: str, fallback_reason: str | None = None, title: str | None = None
    ) -> Formulation:
        """The original alone."""
        return Formulation(
            transform=self.name,
            title=title or self.label,
            original=original,
            queries=(original,),
            notes=tuple(note for note in notes if note),
            fallback_reason=fallback_reason,
        )

    def title_of(self, context: RunContext) -> str:
        """What whoever wrote calls what they made, else the transform's label."""
        return next((call.title for call in context.calls if call.title and not call.error), self.label)


def _history_was_read(context: RunContext) -> bool:
    """Whether the writer was asked for something for which it reads the turns before."""
    read = getattr(context.writer, "reads_history", False)
    return any(call.task in read if isinstance(read, frozenset) else read for call in context.calls)


def same_text(one: str, other: str) -> bool:
    """Equal but for case, white space and closing punctuation: searching both would count one twice."""
    return _plain(one) == _plain(other)


def distinct(written: Sequence[Written], original: str, n: int) -> list[Written]:
    """At most ``n`` texts, none equal to the original or to an earlier one."""
    kept: list[Written] = []
    seen = {_plain(original)}
    for text in written:
        key = _plain(text.text)
        if key and key not in seen:
            seen.add(key)
            kept.append(text)
    return kept[:n]


def notes_of(written: Sequence[Written]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text.note for text in written if text.note))


def _plain(text: str) -> str:
    return " ".join(normalise(text).split()).rstrip("?.!؟。 ")
