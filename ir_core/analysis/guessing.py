"""Which transform a class should have named: the one that puts the looked-for document highest, or moves most."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ir_core.schema import SearchResult

NONE = "none"
"""The guess that no transform does better than the original."""


@dataclass(frozen=True, slots=True)
class Answer:
    """``values`` by transform, the original's among them: the rank of the first document that is looked for (None:
    not in the first k), or, where none is looked for, how many of the k places hold another document than before.
    ``best`` are the transforms that do better than the original, several where they tie; empty where none does."""

    by_rank: bool
    values: Mapping[str, int | None]
    best: tuple[str, ...]

    def is_right(self, guess: str) -> bool:
        return guess in self.best or (guess == NONE and not self.best)


def answer(results: Sequence[SearchResult], wanted: Collection[str]) -> Answer:
    """:param results: of one comparison, the original's first.
    :param wanted: artifact ids; empty where nobody knows."""
    original, *others = results
    name = original.formulation.transform
    if not wanted:
        moved = {name: 0, **{one.formulation.transform: _moved(one, original) for one in others}}
        most = max(moved.values())
        return Answer(False, moved, tuple(who for who, count in moved.items() if count == most > 0))
    ranks = {one.formulation.transform: _rank(one, wanted) for one in results}
    known = [rank for rank in ranks.values() if rank is not None]
    first = min(known, default=None)
    best = () if first == ranks[name] else tuple(who for who, rank in ranks.items() if rank == first)
    return Answer(True, ranks, best)


def _rank(result: SearchResult, wanted: Collection[str]) -> int | None:
    return next((hit.rank for hit in result.fused.hits if hit.artifact_id in wanted), None)


def _moved(result: SearchResult, original: SearchResult) -> int:
    before = [hit.artifact_id for hit in original.fused.hits]
    after = [hit.artifact_id for hit in result.fused.hits]
    same = sum(one == other for one, other in zip(before, after, strict=False))
    return max(len(before), len(after)) - same
