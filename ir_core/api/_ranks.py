"""Lists of hits joined by rank, and double ones taken out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from ir_core.fusion import RankedList, by_score
from ir_core.fusion.rrf import ReciprocalRank
from ir_core.schema import Contribution, Hit
from ir_core.text import normalise


def rrf(rankings: Sequence[Sequence[Hit]]) -> list[Hit]:
    """Reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009): the score is the sum of 1 / (60 + rank) over
    the lists an artifact is in. Its text is from the list where it stands highest; ties go by id."""
    lists = [dedup(hits) for hits in rankings]
    everything = [hit for hits in lists for hit in hits]
    ids = sorted({hit.artifact_id for hit in everything})
    number = {name: place for place, name in enumerate(ids)}
    ranked, start = [], 0
    for place, hits in enumerate(lists, start=1):
        artifacts = np.array([number[hit.artifact_id] for hit in hits], np.int64)
        rows = np.arange(start, start + len(hits), dtype=np.int64)
        scores = np.array([hit.score for hit in hits], np.float64)
        ranked.append(RankedList(f"list-{place}", "fused", 1.0, artifacts, rows, scores))
        start += len(hits)
    joined = []
    for rank, item in enumerate(by_score(ReciprocalRank().shares(ranked, 1.0), ids), start=1):
        shares = sorted(item.shares, key=lambda share: share.rank)
        given = tuple(
            Contribution(one.query_id, one.leg, everything[one.surface].surface_id, one.rank, one.share)
            for one in shares
        )
        best = everything[shares[0].surface]
        joined.append(replace(best, rank=rank, score=item.score, rerank_score=None, contributions=given))
    return joined


def dedup(hits: Iterable[Hit]) -> list[Hit]:
    """The first of every artifact and of every text (case and white space apart), ranked from 1 again."""
    kept: list[Hit] = []
    seen: set[tuple[str, str]] = set()
    for hit in hits:
        keys = {("artifact", hit.artifact_id), ("text", " ".join(normalise(hit.text).split()))}
        if not keys & seen:
            seen |= keys
            kept.append(replace(hit, rank=len(kept) + 1))
    return kept
