"""Taking turns: each sub-question's evidence gets its place, which reciprocal rank fusion denies it.

RRF over sub-questions favours what all of them half find and pushes the first hop's document down; on HotpotQA
questions it lowers the share of questions with all their documents in the top five.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ir_core.fusion._lists import RankedList, Share, rrf_share
from ir_core.schema import ORIGINAL

KEEP = 3
"""The original's first places that nothing displaces."""


@dataclass(frozen=True)
class RoundRobin:
    """The original's first three, then all lists of the leg in turn, no artifact twice."""

    name: ClassVar[str] = "round_robin"
    label: ClassVar[str] = "Round robin"
    summary: ClassVar[str] = "The original's first three stay; then every list in turn places its next document."
    reference: ClassVar[str] = "Round robin merging, as in Voorhees, Gupta and Johnson-Laird, TREC-3 1994"

    def shares(self, lists: Sequence[RankedList], leg_weight: float) -> Iterator[tuple[int, Share]]:
        """(artifact, share) once per artifact of one leg: leg weight / (60 + place), to the list that placed it."""
        ordered = sorted(lists, key=lambda one: one.query_id != ORIGINAL)
        kept = bool(ordered) and ordered[0].query_id == ORIGINAL
        cursors = [_places(one) for one in ordered]
        after = [*range(1, len(ordered)), 0] if kept else list(range(len(ordered)))  # it had its places already
        taken: set[int] = set()
        turns = [0] * KEEP if kept else after
        while turns:
            moved = False
            for number in turns:
                found = next((place for place in cursors[number] if place[0] not in taken), None)
                if found:
                    artifact, surface, rank = found
                    taken.add(artifact)
                    moved = True
                    one = ordered[number]
                    yield artifact, Share(one.query_id, one.leg, surface, rank, rrf_share(leg_weight, len(taken)))
            if not moved and turns is after:
                return
            turns = after


def _places(one: RankedList) -> Iterator[tuple[int, int, int]]:
    """Artifact, surface and rank of each place."""
    for rank, (artifact, surface) in enumerate(zip(one.artifacts, one.surfaces, strict=True), start=1):
        yield int(artifact), int(surface), rank
