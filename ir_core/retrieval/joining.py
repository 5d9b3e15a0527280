"""One formulation's lists become one: combined inside each leg, the legs joined, reranked where a model is named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ir_core.fusion import FUSIONS, Fused, RankedList, by_score
from ir_core.retrieval.engine import Engine
from ir_core.schema import Formulation

RERANK_DEPTH = 30
"""A cross-encoder reads every pair: 30 is what a person would wait for, and what the course systems rerank."""
EVIDENCE = 3
PARTS = frozenset({"sub_question", "bridge"})
"""Roles of queries that each ask for a part of what the question needs."""


@dataclass(frozen=True, slots=True)
class Joined:
    """``evidence`` is the top of each sub-question's own list; ``rerank_scores`` are by artifact."""

    fused: list[Fused]
    evidence: Mapping[str, list[Fused]]
    rerank_scores: Mapping[int, float] | None


def join(
    engine: Engine,
    formulation: Formulation,
    lists: Sequence[RankedList],
    leg_weights: Mapping[str, float],
    depth: int,
) -> Joined:
    """The fused list, at most ``depth`` long; for sub-questions also the top of each one's own list."""
    ids = engine.index.artifact_ids
    shares = []
    for leg in dict.fromkeys(one.leg for one in lists):
        chosen = formulation.combine.get(leg, "rrf")
        # a centroid was one list before it came here
        method: Any = FUSIONS.get("rrf" if chosen == "centroid" else chosen)()
        shares.extend(method.shares([one for one in lists if one.leg == leg], leg_weights[leg]))
    fused = by_score(shares, ids)[:depth]
    parts = [query.id for query in formulation.queries if query.role in PARTS]
    evidence = {part: _alone(part, lists, leg_weights, ids)[:EVIDENCE] for part in parts}
    if not engine.reranker:
        return Joined(fused, evidence, None)
    fused, scores = _reranked(engine, formulation, fused)
    return Joined(fused, evidence, scores)


def _alone(
    query_id: str, lists: Sequence[RankedList], leg_weights: Mapping[str, float], ids: Sequence[str]
) -> list[Fused]:
    """One query's legs, joined as if it had been the only one."""
    method: Any = FUSIONS.get("rrf")()
    own = [replace(one, weight=leg_weights[one.leg]) for one in lists if one.query_id == query_id]
    return by_score(method.shares(own, 1.0), ids)


def _reranked(engine: Engine, formulation: Formulation, fused: list[Fused]) -> tuple[list[Fused], dict[int, float]]:
    """The head of the list by the cross-encoder; ``score`` stays the fused one.

    What a sub-question found is judged by that sub-question; everything else by the user's words, never by a
    hypothetical passage, and by the standalone question where a follow-up was condensed.
    """
    assert engine.reranker is not None
    standalone = [query for query in formulation.queries if query.role in {"condensed", "translation"}]
    users_words = (standalone[0] if standalone else formulation.original).text
    judged_by = {query.id: query.text for query in formulation.queries if query.role == "sub_question"}
    head, tail = fused[:RERANK_DEPTH], fused[RERANK_DEPTH:]
    asked: dict[str, list[tuple[int, str]]] = {}
    for item in head:
        best = max(item.shares, key=lambda share: share.share)
        text = engine.index.surfaces[best.surface].text
        asked.setdefault(judged_by.get(best.query_id, users_words), []).append((item.artifact, text))
    scores: dict[int, float] = {}
    for query, pairs in asked.items():
        found = engine.reranker.scores(query, [text for _, text in pairs])
        scores.update(zip((artifact for artifact, _ in pairs), found, strict=True))
    ids = engine.index.artifact_ids
    head.sort(key=lambda item: (-round(scores[item.artifact], 6), ids[item.artifact]))
    return head + tail, scores
