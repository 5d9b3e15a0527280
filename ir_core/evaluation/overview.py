"""One table over all parts and modes of a run: every index, writer and transform against one baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ir_core.evaluation.evidence import Evidence
from ir_core.evaluation.intervals import Difference, paired
from ir_core.evaluation.plan import Plan
from ir_core.evaluation.result import Column, Evaluation, Summary
from ir_core.evaluation.slices import front
from ir_core.schema import Mode

Place = tuple[int, Mode]
"""A part's number and a retrieval mode."""
Read = tuple[Evaluation, Sequence[Summary], Sequence[Evidence | None]]
"""What was found there, its columns added up, and what may be said of each."""


@dataclass(frozen=True, slots=True)
class Line:
    """One column of one part in one mode. ``total`` and ``proof`` compare it with the original of the same index and
    mode; ``apart`` with the baseline of the whole run, its first original, query by query: a paired bootstrap at 95 %
    that is not corrected and no test. It is None for the baseline itself."""

    part: int
    mode: Mode
    slot: int
    title: str
    value: float | None
    total: Summary
    proof: Evidence | None
    apart: Difference | None


def overview(plan: Plan, found: Mapping[Place, Read]) -> list[Line]:
    """In the order of the parts. An original is told once for each index and mode: no writer changes it.

    :param found: by place; those without any query yet are left out.
    """
    parts, base, lines = plan.parts(), None, []
    told: set[tuple[str, Mode]] = set()
    for (part, mode), (one, sums, proof) in found.items():
        if not one.n:
            continue
        first, index = one.measures[0], parts[part].index
        known = (index, mode) in told
        told.add((index, mode))
        for slot, column in enumerate(one.columns):
            if not slot and known:
                continue
            base = base or column
            title = column.titles[0] if column.titles else column.label
            apart = None if column is base else _apart(column, base, first)
            lines.append(Line(part, mode, slot, title, sums[slot].means[first], sums[slot], proof[slot], apart))
    return lines


def beaten_by_none(lines: Sequence[Line]) -> dict[str, list[int]]:
    """Places of the lines on the Pareto fronts of quality against "latency" and "cost", in the order of what they
    take; empty where nothing is known."""
    return {
        "latency": front([(line.total.latency_s, line.value) for line in lines]),
        "cost": front([(line.total.cost_usd, line.value) for line in lines]),
    }


def _apart(column: Column, base: Column, measure: str) -> Difference:
    before = {row.query_id: row.scores[measure] for row in base.rows if row.scores and measure in row.scores}
    pairs = [
        (row.scores[measure], before[row.query_id])
        for row in column.rows
        if row.scores and measure in row.scores and row.query_id in before
    ]
    return paired([own for own, _ in pairs], [other for _, other in pairs])
