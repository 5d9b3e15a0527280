"""An evaluation cut otherwise: by category, by query, and by who is beaten in nothing (the Pareto front)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ir_core.evaluation.intervals import TIE
from ir_core.evaluation.means import mean
from ir_core.evaluation.result import Column, Evaluation, Row

Outcome = Literal["improved", "same", "worse"]
OUTCOMES: tuple[Outcome, ...] = ("improved", "same", "worse")
AVERAGE = "Average"
NO_CATEGORY = "no category"


@dataclass(frozen=True, slots=True)
class Slice:
    """Means of one measure over some of the queries, one per column. ``gains`` are mean paired differences to the
    original on the queries both scored; None where there is none."""

    name: str
    n: int
    means: tuple[float | None, ...]
    gains: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class QueryOutcome:
    """One query under one transform, against the original, on one measure; ``difference`` is 0 for a tie."""

    row: Row
    original: Row
    value: float
    base: float
    outcome: Outcome

    @property
    def difference(self) -> float:
        return self.value - self.base


def by_category(found: Evaluation, measure: str) -> list[Slice]:
    """All queries first, then the categories, the largest first."""
    rows = found.columns[0].rows if found.columns else ()
    counted = Counter(row.category or NO_CATEGORY for row in rows)
    kept = [name for name, _ in sorted(counted.items(), key=lambda item: (-item[1], item[0]))]
    names = [] if kept == [NO_CATEGORY] else kept
    return [_slice(found, measure, AVERAGE, None), *(_slice(found, measure, name, name) for name in names)]


def _slice(found: Evaluation, measure: str, name: str, category: str | None) -> Slice:
    def inside(row: Row) -> bool:
        return category is None or (row.category or NO_CATEGORY) == category

    def values(column: Column) -> list[float | None]:
        return [row.scores[measure] for row in column.rows if inside(row) and row.scores and measure in row.scores]

    gains = [
        mean([one.difference for one in outcomes(found, slot, measure) if inside(one.row)])
        for slot in range(len(found.columns))
    ]
    means = tuple(mean(values(column)) for column in found.columns)
    return Slice(name, sum(map(inside, found.columns[0].rows)) if found.columns else 0, means, tuple(gains))


def outcomes(found: Evaluation, slot: int, measure: str) -> list[QueryOutcome]:
    """Every query that this column and the original scored, in the order of the queries."""
    made = []
    for row, original in zip(found.columns[slot].rows, found.columns[0].rows, strict=True):
        if measure not in (row.scores or ()) or measure not in (original.scores or ()):
            continue
        assert row.scores is not None
        assert original.scores is not None
        value, base = row.scores[measure], original.scores[measure]
        word: Outcome = "same" if abs(value - base) <= TIE else "improved" if value > base else "worse"
        made.append(QueryOutcome(row, original, value, base, word))
    return made


def front(points: Sequence[tuple[float | None, float | None]]) -> list[int]:
    """Which (cost, quality) points no other beats: none is at most as dear and better, or cheaper and as good.

    In the order of cost; points with an unknown are on no front.
    """
    known = [
        (cost, value, place) for place, (cost, value) in enumerate(points) if cost is not None and value is not None
    ]
    kept: list[int] = []
    best = float("-inf")
    for _, value, place in sorted(known, key=lambda one: (one[0], -one[1])):
        if value > best + TIE:
            kept.append(place)
            best = value
    return kept
