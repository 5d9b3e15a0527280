"""One formulation's lists become one: combined inside each leg, the legs joined, reranked where a model is named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ir_core.fusion import FUSIONS, Fused, RankedList, by_score
from ir_core.fusion.round_robin import KEEP, RoundRobin
from ir_core.protocols import Reranker
from ir_core.retrieval.engine import Engine
from ir_core.schema import Formulation, Query

RERANK_DEPTH = 30
"""A cross-encoder reads every pair: 30 is what a person would wait for, and what the course systems rerank."""
EVIDENCE = 3


@dataclass(frozen=True, slots=True)
class Joined:
    fused: list[Fused]
    evidence: Mapping[str, list[Fused]]
    rerank_scores: dict[int, float] | None


def join(
    engine: Engine,
    formulation: Formulation,
    lists: Sequence[RankedList],
    leg_weights: Mapping[str, float],
    depth: int,
) -> Joined:
    """The fused list, at most ``depth`` long; for sub-questions also the top of each one's own list."""
    ids = engine.index.artifact_ids
    rerank = _Reranking(engine) if engine.reranker else None
    if "round_robin" in formulation.combine.values():
        own = {q.id: _by_query(q, lists, leg_weights, ids) for q in formulation.queries}
        if rerank:
            own = {q.id: rerank(q.text, own[q.id]) for q in formulation.queries}
        keep = KEEP if formulation.searches_original else 0
        ordered = sorted(formulation.queries, key=lambda query: query.id != formulation.original.id)
        fused = RoundRobin().turns([own[query.id] for query in ordered], depth, keep)
        evidence = {q.id: own[q.id][:EVIDENCE] for q in ordered if q.id != formulation.original.id}
        return Joined(fused, evidence, rerank.scores if rerank else None)
    shares = []
    for leg in dict.fromkeys(one.leg for one in lists):
        method: Any = FUSIONS.get(_in_leg(formulation, leg))()
        shares.extend(method.shares([one for one in lists if one.leg == leg], leg_weights[leg]))
    fused = by_score(shares, ids)[:depth]
    if rerank:
        fused = rerank(_users_words(formulation), fused)
    return Joined(fused, {}, rerank.scores if rerank else None)


def _in_leg(formulation: Formulation, leg: str) -> str:
    """A centroid was one list before it came here."""
    chosen = formulation.combine.get(leg, "rrf")
    return "rrf" if chosen == "centroid" else chosen


def _by_query(
    query: Query, lists: Sequence[RankedList], leg_weights: Mapping[str, float], ids: Sequence[str]
) -> list[Fused]:
    """One query's legs, joined as if it were alone."""
    method: Any = FUSIONS.get("rrf")()
    own = [replace(one, weight=leg_weights[one.leg]) for one in lists if one.query_id == query.id]
    return by_score(method.shares(own, 1.0), ids)


def _users_words(formulation: Formulation) -> str:
    """What a cross-encoder judges by: never a hypothetical passage; a standalone question in a follow-up's place."""
    standalone = [query for query in formulation.queries if query.role in {"condensed", "translation"}]
    return (standalone[0] if standalone else formulation.original).text


class _Reranking:
    """Orders the head of a list by the cross-encoder; ``score`` stays the fused one."""

    def __init__(self, engine: Engine) -> None:
        assert engine.reranker is not None
        self.engine = engine
        self.reranker: Reranker = engine.reranker
        self.scores: dict[int, float] = {}

    def __call__(self, query: str, fused: list[Fused]) -> list[Fused]:
        head, tail = fused[:RERANK_DEPTH], fused[RERANK_DEPTH:]
        if not head:
            return fused
        surfaces = [max(item.shares, key=lambda share: share.share).surface for item in head]
        scores = self.reranker.scores(query, [self.engine.index.surfaces[row].text for row in surfaces])
        own = {item.artifact: score for item, score in zip(head, scores, strict=True)}
        self.scores.update(own)
        ids = self.engine.index.artifact_ids
        return sorted(head, key=lambda item: (-round(own[item.artifact], 6), ids[item.artifact])) + tail
