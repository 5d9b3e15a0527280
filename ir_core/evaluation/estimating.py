"""What a run will take, told before it begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ir_core import prompts
from ir_core.budget import Estimate, Sent, Spent, estimate, in_sentences
from ir_core.compare import Choice
from ir_core.evaluation.plan import Plan
from ir_core.evaluation.sampling import nth_sample, samples_of
from ir_core.evaluation.writing import LLM_WORKERS
from ir_core.library import JudgedQuery
from ir_core.protocols import Writer
from ir_core.transforms import TRANSFORMS

LOOKED_AT = 20
"""Queries whose prompts are counted; the others take what these take on average."""


def estimate_run(
    transforms: Sequence[Choice],
    writer: Writer,
    queries: Sequence[JudgedQuery],
    *,
    corpus_language: str | None = None,
    spent: Spent | None = None,
    samples: int = 1,
) -> Estimate:
    """Calls, tokens, seconds and dollars of all queries, and what leaves the machine; see ``budget.estimate``.

    Texts are written once for all retrieval modes. None is unknown.

    :param queries: at least one.
    :param samples: texts of each query where a model writes at a temperature above 0, as a plan has it.
    :raises UnknownName, BadSetting: for a transform or a setting there is not.
    """
    step = max(1, len(queries) // LOOKED_AT)
    looked_at = queries[::step]
    found = [
        estimate(
            drawn, nth_sample(writer, number), one.text, one.history, corpus_language=corpus_language, spent=spent
        )
        for one in looked_at
        for number in range(samples)
        if (drawn := _drawn(transforms, one, writer, number, samples, corpus_language)) or not number
    ]
    times = len(queries) / len(looked_at)
    calls, kept = round(sum(one.calls for one in found) * times), round(sum(one.kept for one in found) * times)
    each = spent.seconds_each if spent else None
    sent = _sent(transforms, writer, queries, looked_at, found[0].sends_to)
    return replace(
        found[0],
        leaves=in_sentences([sent]),
        sent=sent,
        calls=calls,
        kept=kept,
        tokens_in=_scaled([one.tokens_in for one in found], times),
        tokens_out=_scaled([one.tokens_out for one in found], times),
        seconds=0.0 if calls == kept else None if each is None else each * (calls - kept) / LLM_WORKERS,
        cost_usd=None
        if any(one.cost_usd is None for one in found)
        else sum(one.cost_usd or 0.0 for one in found) * times,
    )


def estimate_plan(
    plan: Plan,
    writers: Sequence[Writer],
    queries: Sequence[JudgedQuery],
    *,
    corpus_language: str | None = None,
    spent: Sequence[Spent | None] = (),
) -> list[Estimate]:
    """``estimate_run`` of each part, in order. A part whose writer an earlier one has too will find most of its
    replies kept, where they are: what it is told to take, the same as that one, is the most it may.

    :param writers: one for each of ``plan.parts()``; ``spent`` likewise, where anything is known of them.
    """
    known = [*spent, *[None] * len(writers)]
    parts, found = plan.parts(), list[Estimate]()
    for part, writer, before in zip(parts, writers, known, strict=False):
        same = [told for told, one in zip(found, parts, strict=False) if one.writer == part.writer and writer.is_llm]
        found += same[:1] or [
            estimate_run(
                part.transforms, writer, queries, corpus_language=corpus_language, spent=before, samples=plan.samples
            )
        ]
    return found


def _sent(
    transforms: Sequence[Choice],
    writer: Writer,
    queries: Sequence[JudgedQuery],
    looked_at: Sequence[JudgedQuery],
    host: str | None,
) -> Sent | None:
    """What goes to the writer's host. One query with earlier turns is looked at besides: some transforms ask about
    such ones only."""
    with_turns = next((one for one in queries if one.history), None)
    seen = [*looked_at, *([with_turns] if with_turns else [])]
    made = [TRANSFORMS.make(*choice) for choice in transforms]
    tasks = {task.name for one in made for query in seen for task in one.tasks(query.text, query.history)}
    asked = tasks & set(writer.tasks)
    if host is None or not asked:
        return None
    turns = bool(with_turns) and bool(getattr(writer, "reads_history", False))
    return Sent(host, turns=turns, passages=any(map(prompts.reads_hits, asked)))


def _drawn(
    transforms: Sequence[Choice], query: JudgedQuery, writer: Writer, number: int, samples: int, language: str | None
) -> list[Choice]:
    """The transforms of which a sample of that number is written."""
    made = [(choice, TRANSFORMS.make(*choice)) for choice in transforms]
    return [choice for choice, one in made if samples_of(one, query, writer, samples, language) > number]


def _scaled(values: Sequence[int | None], times: float) -> int | None:
    known = [value for value in values if value is not None]
    return round(sum(known) * times) if len(known) == len(values) else None
