"""What judging a run will take, told before it begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ir_core.budget import Estimate, Sent, Spent, foresee, in_sentences
from ir_core.evaluation.estimating import LOOKED_AT
from ir_core.evaluation.judging import Asked, Judge, hits_of, tasks_of
from ir_core.evaluation.means import total
from ir_core.evaluation.writing import LLM_WORKERS
from ir_core.index import Index
from ir_core.library import JudgedQuery
from ir_core.schema import Foreseen


def estimate_judge(
    judge: Judge, queries: Sequence[JudgedQuery], lists: int, index: Index, *, spent: Spent | None = None
) -> Estimate:
    """At most: lists that are equal are asked about once. Surfaces of the index stand for those that will be found.

    :param queries: at least one.
    :param lists: of each query: columns times modes.
    :param spent: what earlier calls to the same model took.
    """
    looked_at = queries[:: max(1, len(queries) // LOOKED_AT)]
    parts: list[Foreseen] = []
    for number, query in enumerate(looked_at):
        ids = tuple(_some(index, number, judge.plan.k))
        tasks = tasks_of(Asked("", query, ids), judge.plan, hits_of(index, ids))
        parts += [foresee(judge.writer, task, index.manifest.language) for task, _ in tasks]
    times = lists * len(queries) / len(looked_at)
    calls = round(times * sum(part.calls for part in parts))
    tokens_in, tokens_out = total([part.tokens_in for part in parts]), total([part.tokens_out for part in parts])
    cost = total([part.cost_usd for part in parts])
    if cost is None and spent is not None and spent.usd_each is not None:
        cost = spent.usd_each * len(parts)
    each = spent.seconds_each if spent else None
    host = getattr(judge.writer, "sends_to", judge.writer.label)
    sent = None if host is None else _sent(judge, queries, host)
    empty = Estimate(calls, None, None, None, None, host, in_sentences([sent]), sent=sent)
    return replace(
        empty,
        tokens_in=None if tokens_in is None else round(times * tokens_in),
        tokens_out=None if tokens_out is None else round(times * tokens_out),
        seconds=None if each is None else each * calls / LLM_WORKERS,
        cost_usd=None if cost is None else times * cost,
    )


def _sent(judge: Judge, queries: Sequence[JudgedQuery], host: str) -> Sent:
    reads = bool(getattr(judge.writer, "reads_history", False))
    return Sent(
        host,
        turns=reads and any(one.history for one in queries),
        passages=True,
        answers=judge.plan.reference and any(one.answers for one in queries),
    )


def _some(index: Index, start: int, k: int) -> list[str]:
    """Surfaces spread over the index, others for each query."""
    step = max(1, index.n // (k + 1))
    return [index.surfaces[(start + place * step) % index.n].id for place in range(min(k, index.n))]
