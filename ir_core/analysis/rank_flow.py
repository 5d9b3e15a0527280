"""Where every document stands under every transform, and what that means beside the original."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ir_core.schema import SearchResult

CHANGES = ("saved", "lost", "new", "gone", "moved", "same")
"""A looked-for document that came into the first k or left them; any other that did; one that changed its rank."""


@dataclass(frozen=True, slots=True)
class Line:
    """One document's way: ``places`` has its real rank per column (from 1, below k too), None where that transform
    did not retrieve it. ``expected`` and ``relevant`` (judged so) are those somebody looks for."""

    artifact_id: str
    title: str
    places: tuple[int | None, ...]
    k: int
    expected: bool
    relevant: bool = False

    @property
    def ranks(self) -> tuple[int | None, ...]:
        """Its places among the first k; None elsewhere."""
        return tuple(place if place and place <= self.k else None for place in self.places)

    @property
    def looked_for(self) -> bool:
        return self.expected or self.relevant

    @property
    def mark(self) -> str:
        """What a person looks for it as; blank for any other."""
        return "expected" if self.expected else "gold" if self.relevant else ""

    @property
    def first(self) -> int | None:
        """The first column that has it among its first k."""
        return next((column for column, rank in enumerate(self.ranks) if rank is not None), None)

    def change(self, column: int) -> str:
        """One of ``CHANGES`` beside the original's column; blank where neither has it among the first k."""
        was, now = self.ranks[0], self.ranks[column]
        if was is None:
            return "" if now is None else "saved" if self.looked_for else "new"
        if now is None:
            return "lost" if self.looked_for else "gone"
        return "same" if was == now else "moved"

    def words(self, column: int) -> str:
        """Rank and change as one phrase: ``2, up 3``, ``12, below 5, lost``; a dash where it was not retrieved."""
        place, was, change = self.places[column], self.ranks[0], self.change(column) if column else ""
        if change == "moved" and place and was:
            change = f"up {was - place}" if was > place else f"down {place - was}"
        below = f"below {self.k}" if place and place > self.k else ""
        return ", ".join(part for part in (str(place or "–"), below, change) if part)


def rank_lines(
    results: Sequence[SearchResult], k: int, expected: str | None = None, relevant: Collection[str] = ()
) -> list[Line]:
    """One per document that any transform put in its first ``k``, and per looked-for one that any retrieved: the
    original's order first, then by the best rank anywhere."""
    places: dict[str, dict[int, int]] = {}
    titles: dict[str, str] = {}
    shown: set[str] = {*relevant, *([expected] if expected else [])}
    for column, result in enumerate(results):
        for hit in (*result.fused.hits, *result.below):
            places.setdefault(hit.artifact_id, {})[column] = hit.rank
            titles.setdefault(hit.artifact_id, hit.title)
            if hit.rank <= k:
                shown.add(hit.artifact_id)
    order = sorted(
        shown & places.keys(),
        key=lambda name: (min(places[name].get(0, k + 1), k + 1), min(places[name].values()), name),
    )
    columns = range(len(results))
    return [
        Line(name, titles[name], tuple(map(places[name].get, columns)), k, name == expected, name in relevant)
        for name in order
    ]


def tally(lines: Sequence[Line], column: int) -> Mapping[str, int]:
    """How many documents saw each of ``CHANGES`` under one transform, in that order."""
    counts = Counter(line.change(column) for line in lines)
    return {change: counts[change] for change in CHANGES}


def said(counts: Mapping[str, int]) -> str:
    """``1 saved, 2 lost, 3 new``: what there was none of is left out."""
    parts = [f"{number} {change}" for change, number in counts.items() if number and change != "same"]
    return ", ".join(parts) or "nothing moved"
