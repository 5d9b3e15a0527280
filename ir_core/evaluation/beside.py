"""Two evaluations beside each other: the same transforms with the same settings, on the queries that both scored."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ir_core.evaluation.intervals import Difference, paired
from ir_core.evaluation.result import Column, Evaluation


@dataclass(frozen=True, slots=True)
class Beside:
    """One transform: ``slot`` is its column in the first evaluation; means are over the queries both scored, and
    ``apart`` is the first's less the second's on them (a paired bootstrap at 95 %: not corrected, and no test)."""

    slot: int
    own: float
    other: float
    apart: Difference
    n: int


def shared_measure(one: Evaluation, other: Evaluation) -> str | None:
    """The first of ``one``'s measures that both have; None where they have none, or ``other`` has no query yet."""
    return next((name for name in one.measures if name in other.measures and other.n), None)


def has_common(one: Evaluation, other: Evaluation) -> bool:
    """Whether ``beside`` has a line on a measure of both."""
    measure = shared_measure(one, other)
    return measure is not None and any(True for _ in _pairs(one, other, measure))


def beside(one: Evaluation, other: Evaluation, measure: str) -> list[Beside]:
    """A line per transform that both have with the same settings and have scored a query in common with."""
    found = []
    for slot, pairs in _pairs(one, other, measure):
        own, base = [mine for mine, _ in pairs], [its for _, its in pairs]
        n = len(pairs)
        found.append(Beside(slot, sum(own) / n, sum(base) / n, paired(own, base), n))
    return found


def _pairs(one: Evaluation, other: Evaluation, measure: str) -> Iterator[tuple[int, list[tuple[float, float]]]]:
    """The column of each transform in common, and both scores of every query that has them."""
    known = {_key(column): column for column in other.columns}
    for slot, column in enumerate(one.columns):
        if (theirs := known.get(_key(column))) is None:
            continue
        before = {row.query_id: row.scores for row in theirs.rows}
        pairs = [
            (row.scores[measure], scores[measure])
            for row in column.rows
            if (scores := before.get(row.query_id)) and row.scores and measure in row.scores and measure in scores
        ]
        if pairs:
            yield slot, pairs


def _key(column: Column) -> tuple[str, str]:
    return column.transform, repr(sorted(column.settings.items()))
