"""What fusion reads and writes: artifacts and surfaces as row numbers, so that nothing is copied."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ir_core.config import RRF_K


@dataclass(frozen=True, slots=True)
class RankedList:
    """One (query, leg) list: the best surface of each artifact, best first.

    ``artifacts`` and ``surfaces`` are row numbers, ``scores`` the leg's own scores, all of one length. ``weight`` is
    the list's share of the whole: leg weight × query weight ÷ the sum of the query weights in that leg.
    """

    query_id: str
    leg: str
    weight: float
    artifacts: NDArray[np.int64]
    surfaces: NDArray[np.int64]
    scores: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Share:
    """What one list gave: the surface it found, at which rank (from 1), and its part of the score."""

    query_id: str
    leg: str
    surface: int
    rank: int
    share: float


@dataclass(frozen=True, slots=True)
class Fused:
    """One artifact after fusion; ``score`` is the sum of its shares."""

    artifact: int
    score: float
    shares: tuple[Share, ...]


def rrf_share(weight: float, rank: int) -> float:
    """weight / (60 + rank), rank from 1."""
    return weight / (RRF_K + rank)


def by_score(shares: Iterable[tuple[int, Share]], ids: Sequence[str]) -> list[Fused]:
    """Artifacts with their shares added up, best first.

    Scores are rounded to 1e-6. Ties are common (one leg's third place against the other's): the one that owes more
    to the dense leg comes first, then the lower id. By id alone, nDCG moves by up to .01 from one corpus to the next.
    """
    collected: dict[int, list[Share]] = {}
    for artifact, share in shares:
        collected.setdefault(artifact, []).append(share)
    found = [
        Fused(artifact, sum(share.share for share in given), tuple(given)) for artifact, given in collected.items()
    ]
    return sorted(found, key=lambda item: (-round(item.score, 6), -round(_dense(item), 6), ids[item.artifact]))


def _dense(item: Fused) -> float:
    return sum(share.share for share in item.shares if share.leg == "dense")
