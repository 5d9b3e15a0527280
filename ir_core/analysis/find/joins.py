"""Lists that were searched, joined again: all of them to the end, some of them alone, or by another method."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ir_core import config
from ir_core.analysis.find.ranks import Searched, vectors_of
from ir_core.fusion import RankedList, list_weights
from ir_core.retrieval import Engine, SearchSettings, search_many
from ir_core.retrieval.joining import join
from ir_core.retrieval.lists import Found, dense_lists, lexical_lists
from ir_core.schema import Leg, Query, SearchResult

DEEPEST = config.depth_for(config.MAX_K)
"""A document further down comes in too far behind for any k."""
METHODS = {"rrf": "reciprocal rank", "max": "best score"}


@dataclass(frozen=True)
class Deeper:
    """The lists of all results, read further than the search did: when first asked for, in one call per leg."""

    engine: Engine
    settings: SearchSettings
    searched: Sequence[Searched]

    @cached_property
    def found(self) -> dict[int, Found]:
        """By the ``id`` of what was searched."""
        index = self.engine.index
        allowed = index.allowed(self.settings.filter, self.settings.surfaces)
        dense = [one for one in self.searched if one.leg == "dense"]
        words = [one for one in self.searched if one.leg != "dense"]
        found: dict[int, Found] = {}
        if dense:
            lists = dense_lists(index, vectors_of(self.engine, dense), DEEPEST, allowed)
            found.update(zip(map(id, dense), lists, strict=True))
        lists = lexical_lists(index, [one.query for one in words], DEEPEST, allowed)
        found.update(zip(map(id, words), lists, strict=True))
        return found


@dataclass(frozen=True)
class Rejoined:
    """The lists of one result as fusion takes them; the reranker is left out. ``searched`` is in the order of the
    result's rankings."""

    engine: Engine
    result: SearchResult
    settings: SearchSettings
    artifact: int
    searched: Sequence[Searched]
    deeper: Deeper

    @property
    def queries(self) -> dict[str, Query]:
        return queries_of(self.result)

    @cached_property
    def lists(self) -> list[RankedList]:
        """As they were searched, to their depth; not weighted yet."""
        index = self.engine.index
        found = []
        for ranking in self.result.rankings:
            rows = np.array([index.row_of[hit.surface_id] for hit in ranking.hits], dtype=np.int64)
            scores = np.array([hit.score for hit in ranking.hits], dtype=np.float64)
            artifacts = index.artifact_of[rows].astype(np.int64)
            found.append(RankedList(ranking.query_id, ranking.leg, 1.0, artifacts, rows, scores))
        return found

    def read_to(self, depth: int) -> list[RankedList]:
        """The same, to another depth, at most ``DEEPEST``."""
        return [
            replace(
                one, artifacts=found.artifacts[:depth], surfaces=found.surfaces[:depth], scores=found.scores[:depth]
            )
            for one, found in zip(self.lists, (self.deeper.found[id(one)] for one in self.searched), strict=True)
        ]

    def place(
        self,
        keep: Callable[[RankedList], bool] = lambda _: True,
        combine: str | None = None,
        depth: int | None = None,
    ) -> tuple[int | None, int]:
        """The artifact's rank among all that the kept lists hold, and how many that are.

        :param combine: a method for every leg with several lists, in place of the formulation's.
        :param depth: to read the lists to, in place of the one they were searched to.
        """
        lists = self.lists if depth is None else self.read_to(depth)
        chosen = [one for one in lists if keep(one)]
        legs = list(dict.fromkeys(one.leg for one in chosen))
        queries = self.queries
        leg_weights = self.settings.leg_weights if len(legs) > 1 else dict.fromkeys(legs, 1.0)
        weights = list_weights([(one.query_id, one.leg, queries[one.query_id].weight) for one in chosen], leg_weights)
        chosen = [replace(one, weight=weights[one.query_id, one.leg]) for one in chosen]
        made = replace(self.result.formulation, queries=())
        if combine:
            made = replace(made, combine=dict.fromkeys(legs, combine))
        alone = replace(self.engine, reranker=None)
        fused = join(alone, made, chosen, leg_weights, self.engine.index.n).fused
        ranks = (rank for rank, item in enumerate(fused, start=1) if item.artifact == self.artifact)
        return next(ranks, None), len(fused)

    def alone(self) -> list[tuple[str, int | None]]:
        """Each query's id, and the artifact's place in a search with nothing but that query. A member of a mean has
        no list of its own among those that were searched, so this searches."""
        legs = set(self.settings.legs)
        queries = [one for one in self.result.formulation.queries if one.weight > 0 and legs & set(one.legs)]
        made = [replace(self.result.formulation, queries=(one,), combine={}) for one in queries]
        found = search_many(replace(self.engine, reranker=None), made, self.settings)
        name = self.engine.index.artifact_ids[self.artifact]
        return [(one.id, result.place(name)) for one, result in zip(queries, found, strict=True)]


def queries_of(result: SearchResult) -> dict[str, Query]:
    """Everything that was searched, by id."""
    return {query.id: query for query in (*result.formulation.queries, *result.derived)}


def members_of(result: SearchResult, query: Query) -> tuple[Query, ...]:
    """The queries whose mean vector this one is; none for a query of its own."""
    leg: Leg = "dense"
    if query not in result.derived:
        return ()
    return tuple(one for one in result.formulation.queries if leg in one.legs and one.weight > 0)
