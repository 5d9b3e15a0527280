"""Row numbers become hits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ir_core.fusion import Fused, RankedList
from ir_core.index import Index
from ir_core.schema import Contribution, Hit, Ranking


def ranking_of(index: Index, found: RankedList) -> Ranking:
    """The list of one (query, leg) as hits: ``score`` is the leg's own."""
    hits = [
        _hit(index, int(artifact), int(surface), rank, float(score), {found.leg: float(score)})
        for rank, (artifact, surface, score) in enumerate(
            zip(found.artifacts, found.surfaces, found.scores, strict=True), start=1
        )
    ]
    return Ranking(found.query_id, found.leg, tuple(hits))


def fused_hits(
    index: Index,
    fused: Sequence[Fused],
    lists: Sequence[RankedList],
    rerank_scores: Mapping[int, float] | None = None,
) -> tuple[Hit, ...]:
    """Hits with their contributions, largest share first; the surface shown is the one with the largest share."""
    best: dict[str, dict[int, float]] = {}
    for one in lists:
        scores = best.setdefault(one.leg, {})
        for artifact, score in zip(one.artifacts.tolist(), one.scores.tolist(), strict=True):
            scores[artifact] = max(score, scores.get(artifact, float("-inf")))
    hits = []
    for rank, item in enumerate(fused, start=1):
        shares = sorted(item.shares, key=lambda share: -share.share)
        given = tuple(
            Contribution(share.query_id, share.leg, index.surfaces[share.surface].id, share.rank, share.share)
            for share in shares
        )
        legs = {leg: scores[item.artifact] for leg, scores in best.items() if item.artifact in scores}
        score = rerank_scores.get(item.artifact) if rerank_scores else None
        hits.append(_hit(index, item.artifact, shares[0].surface, rank, item.score, legs, score, given))
    return tuple(hits)


def _hit(
    index: Index,
    artifact: int,
    row: int,
    rank: int,
    score: float,
    leg_scores: dict[str, float],
    rerank_score: float | None = None,
    contributions: tuple[Contribution, ...] = (),
) -> Hit:
    surface = index.surfaces[row]
    return Hit(
        artifact_id=surface.artifact_id,
        surface_id=surface.id,
        kind=surface.kind,
        text=surface.text,
        title=index.titles[artifact],
        metadata={**index.fields[artifact], **surface.metadata},
        rank=rank,
        score=score,
        leg_scores=leg_scores,
        rerank_score=rerank_score,
        contributions=contributions,
    )
