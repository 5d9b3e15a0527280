"""Best score wins: CombMAX (Fox and Shaw, TREC-2 1994), placed on the reciprocal-rank scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ir_core.fusion._lists import RankedList, Share, rrf_share


@dataclass(frozen=True)
class BestScore:
    """An artifact stands where its best score over all queries puts it; that list has the whole share."""

    name: ClassVar[str] = "max"
    label: ClassVar[str] = "Best score"
    summary: ClassVar[str] = "Each artifact keeps the best score any query gave it; only that query is credited."
    reference: ClassVar[str] = "Fox and Shaw, TREC-2 1994 (CombMAX)"

    def shares(self, lists: Sequence[RankedList], leg_weight: float) -> Iterator[tuple[int, Share]]:
        """(artifact, share) once per artifact of one leg: leg weight / (60 + merged rank), to the winning list.

        The rank in the share is the winning list's own; scores are rounded to 1e-6, ties go to the earlier list.
        """
        best: dict[int, tuple[float, int, int, RankedList, int]] = {}
        for order, one in enumerate(lists):
            for position, artifact in enumerate(one.artifacts):
                score = round(float(one.scores[position]), 6)
                key = int(artifact)
                if key not in best or score > best[key][0]:
                    best[key] = (score, order, position, one, int(one.surfaces[position]))
        merged = sorted(best.items(), key=lambda item: (-item[1][0], item[1][2], item[1][1]))
        for place, (artifact, (_, _, position, one, surface)) in enumerate(merged, start=1):
            yield artifact, Share(one.query_id, one.leg, surface, position + 1, rrf_share(leg_weight, place))
