"""Where each fused hit comes from: which query found it, in which leg, at which rank, and what that gave."""

from __future__ import annotations

from dataclasses import dataclass

from ir_core.schema import Hit, Query, SearchResult


@dataclass(frozen=True, slots=True)
class Part:
    """One list that holds the hit: its rank there (from 1) and its share of the score. The share is 0 where the list
    found it too, but another was credited with its place (best score, round robin)."""

    query_id: str
    leg: str
    rank: int
    share: float


@dataclass(frozen=True, slots=True)
class Traced:
    """A fused hit and every list that holds it, largest share first. Shares add up to ``hit.score`` within 1e-9."""

    hit: Hit
    parts: tuple[Part, ...]

    @property
    def queries(self) -> frozenset[str]:
        return frozenset(part.query_id for part in self.parts)


@dataclass(frozen=True, slots=True)
class Finder:
    """One searched query, a mean vector too: how many of the hits it ``found``, how many of them it ``alone`` found,
    and how many artifacts it ``read`` in all its legs together."""

    query: Query
    found: int
    alone: int
    read: int


@dataclass(frozen=True, slots=True)
class Provenance:
    """``finders`` in the order in which the queries were searched."""

    hits: tuple[Traced, ...]
    finders: tuple[Finder, ...]

    def of(self, query_id: str | None) -> tuple[Traced, ...]:
        """The hits that one query found; all of them for None."""
        return tuple(one for one in self.hits if query_id is None or query_id in one.queries)


def provenance(result: SearchResult) -> Provenance:
    """Of every hit of the first k."""
    ranks = {
        (ranking.query_id, ranking.leg): {hit.artifact_id: hit.rank for hit in ranking.hits}
        for ranking in result.rankings
    }
    hits = tuple(Traced(hit, _parts(hit, ranks)) for hit in result.fused.hits)
    texts = {query.id: query for query in (*result.formulation.queries, *result.derived)}
    finders = []
    for query_id in dict.fromkeys(ranking.query_id for ranking in result.rankings):
        found = [one.queries for one in hits if query_id in one.queries]
        read = {name for (owner, _), names in ranks.items() if owner == query_id for name in names}
        query = texts.get(query_id, Query(query_id, ""))
        finders.append(Finder(query, len(found), sum(len(queries) == 1 for queries in found), len(read)))
    return Provenance(hits, tuple(finders))


def _parts(hit: Hit, ranks: dict[tuple[str, str], dict[str, int]]) -> tuple[Part, ...]:
    credited = {
        (part.query_id, part.leg): Part(part.query_id, part.leg, part.rank, part.share) for part in hit.contributions
    }
    others = {
        place: Part(*place, ranks[place][hit.artifact_id], 0.0)
        for place in ranks
        if place not in credited and hit.artifact_id in ranks[place]
    }
    return tuple(sorted({**credited, **others}.values(), key=lambda part: (-part.share, part.rank)))
