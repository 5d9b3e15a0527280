"""Reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ir_core.fusion._lists import RankedList, Share, rrf_share


@dataclass(frozen=True)
class ReciprocalRank:
    """Every list gives weight / (60 + rank)."""

    name: ClassVar[str] = "rrf"
    label: ClassVar[str] = "Reciprocal rank"
    summary: ClassVar[str] = "Every list votes with weight / (60 + rank); agreement wins over a single high place."
    reference: ClassVar[str] = "Cormack, Clarke and Büttcher, SIGIR 2009"

    def shares(self, lists: Sequence[RankedList], leg_weight: float) -> Iterator[tuple[int, Share]]:
        """(artifact, share) of every place in every list of one leg."""
        for one in lists:
            for position, (artifact, surface) in enumerate(zip(one.artifacts, one.surfaces, strict=True), start=1):
                yield (
                    int(artifact),
                    Share(one.query_id, one.leg, int(surface), position, rrf_share(one.weight, position)),
                )
