"""Taking turns: each sub-question's evidence gets its place, which reciprocal rank fusion denies it.

RRF over sub-questions favours what all of them half find and pushes the first hop's document down; on HotpotQA
questions it lowers the share of questions with all their documents in the top five.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from ir_core.fusion._lists import Fused

KEEP = 3
"""The original's first places that nothing displaces."""


@dataclass(frozen=True)
class RoundRobin:
    """The first list's first three, then all lists in turn, no artifact twice."""

    name: ClassVar[str] = "round_robin"
    label: ClassVar[str] = "Round robin"
    summary: ClassVar[str] = "The original's first three stay; then every list in turn places its next document."
    reference: ClassVar[str] = "Interleaving as in Si and Callan, CIKM 2003 (round robin merging)"

    def turns(self, lists: Sequence[Sequence[Fused]], depth: int, keep: int = KEEP) -> list[Fused]:
        """One list of at most ``depth``: score = 1 / position, the whole of it to the list that placed the artifact,
        split between its legs as they had it.

        :param lists: one fused list per query, the original's first.
        :param keep: places the first list fills before the turns begin; 0 where the original is not searched.
        """
        placed: dict[int, Fused] = {}
        cursors = [0] * len(lists)

        def place_next(number: int) -> bool:
            while cursors[number] < len(lists[number]):
                candidate = lists[number][cursors[number]]
                cursors[number] += 1
                if candidate.artifact not in placed:
                    placed[candidate.artifact] = _scaled(candidate, 1 / (len(placed) + 1))
                    return True
            return False

        order = [*range(1, len(lists)), 0] if keep and lists else list(range(len(lists)))  # it had its places already
        for _ in range(keep if lists else 0):
            if len(placed) < depth:
                place_next(0)
        while len(placed) < depth:
            moved = [place_next(number) for number in order if len(placed) < depth]
            if not any(moved):
                break
        return list(placed.values())


def _scaled(item: Fused, score: float) -> Fused:
    factor = score / item.score if item.score else 0.0
    shares = tuple(replace(share, share=share.share * factor) for share in item.shares)
    return Fused(item.artifact, score, shares)
