"""What was found, and what each query and leg gave to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one (query, leg) list gave to a fused hit: its rank there (from 1) and its share of the score."""

    query_id: str
    leg: str
    surface_id: str
    rank: int
    share: float


@dataclass(frozen=True, slots=True)
class Hit:
    """One artifact in a list. The shares of ``contributions`` add up to ``score`` within 1e-9."""

    artifact_id: str
    surface_id: str
    kind: str
    text: str
    title: str
    metadata: Mapping[str, Any]
    rank: int
    score: float
    leg_scores: Mapping[str, float] = field(default_factory=dict)
    rerank_score: float | None = None
    contributions: tuple[Contribution, ...] = ()


@dataclass(frozen=True, slots=True)
class Ranking:
    """The list of one (query, leg), or the fused one (both are then "fused"). No gaps in ranks."""

    query_id: str
    leg: str
    hits: tuple[Hit, ...]
