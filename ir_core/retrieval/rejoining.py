"""Lists that were read before, joined again: what a formulation with some of its queries left out would give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ir_core.fusion import RankedList, list_weights
from ir_core.index import Index
from ir_core.retrieval.engine import Engine
from ir_core.retrieval.hits import fused_hits
from ir_core.retrieval.joining import join
from ir_core.retrieval.searching import fingerprint
from ir_core.retrieval.settings import SearchSettings
from ir_core.schema import Formulation, Ranking, SearchResult, Trace


def rejoin(
    engine: Engine,
    formulation: Formulation,
    rankings: Sequence[Ranking],
    weights: Mapping[str, float],
    settings: SearchSettings,
) -> SearchResult:
    """``rankings`` weighted, combined and fused as a search of ``formulation`` does it; nothing is searched, so the
    trace is empty. The ranking equals that search's when these are its lists, read to the depth of ``settings``.

    :param weights: of every query of ``rankings``, by id.
    """
    index = engine.index
    shares = list_weights(((one.query_id, one.leg, weights[one.query_id]) for one in rankings), settings.leg_weights)
    lists = [_as_list(index, one, shares[one.query_id, one.leg]) for one in rankings]
    joined = join(engine, formulation, lists, settings.leg_weights, settings.read_depth)
    hits = fused_hits(index, joined.fused, lists, joined.rerank_scores)
    return SearchResult(
        formulation=formulation,
        rankings=tuple(rankings),
        fused=Ranking("fused", "fused", hits[: settings.k]),
        trace=Trace(),
        fingerprint=fingerprint(engine, formulation, settings),
        below=hits[settings.k :],
        evidence={name: fused_hits(index, top, lists) for name, top in joined.evidence.items()},
    )


def without(formulation: Formulation, query_id: str) -> Formulation:
    """The same formulation, one query fewer."""
    return replace(formulation, queries=tuple(query for query in formulation.queries if query.id != query_id))


def _as_list(index: Index, ranking: Ranking, weight: float) -> RankedList:
    rows = np.array([index.row_of[hit.surface_id] for hit in ranking.hits], dtype=np.int64)
    scores = np.array([hit.score for hit in ranking.hits], dtype=np.float64)
    artifacts = index.artifact_of[rows].astype(np.int64)
    return RankedList(ranking.query_id, ranking.leg, weight, artifacts, rows, scores)
