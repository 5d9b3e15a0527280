"""The passages of averaged HyDE, each on its own: how far they are apart, and what each alone would find.

Gao et al. (ACL 2023) average several samples so that what one got wrong the others outvote; the spread shows whether
there was anything to outvote.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ir_core.fusion.centroid import Centroid
from ir_core.retrieval import Engine, SearchSettings, search_many
from ir_core.retrieval.engine import vector_key
from ir_core.schema import Formulation, Query, SearchResult

ROLES = frozenset({"hypothetical", "feedback"})


@dataclass(frozen=True, slots=True)
class Sample:
    """Cosines of one passage: to the mean of all passages (the query not in it), to the original, and on average to
    the other passages."""

    query_id: str
    text: str
    to_mean: float
    to_original: float
    to_others: float


@dataclass(frozen=True, slots=True)
class Samples:
    """``cosines`` (n, n) between the passages, row by row. ``spread`` is 1 − the mean cosine between two of them:
    0 for passages that say the same."""

    samples: tuple[Sample, ...]
    cosines: tuple[tuple[float, ...], ...]
    spread: float


def passages(made: Formulation) -> list[Query]:
    """The passages whose vectors are averaged or searched."""
    return [query for query in made.queries if query.role in ROLES and "dense" in query.legs]


def samples(engine: Engine, made: Formulation) -> Samples | None:
    """None for fewer than two passages. Vectors made before are reused.

    :raises ModelUnavailable: as the embedder's ``encode_document``.
    """
    found = passages(made)
    if len(found) < 2:
        return None
    vectors = engine.encode([made.original, *found]).vectors
    own = np.stack([vectors[vector_key(query)] for query in found]).astype(np.float64)
    cosines = np.clip(own @ own.T, -1.0, 1.0)
    mean = Centroid().mean([vectors[vector_key(query)] for query in found], [query.weight for query in found])
    n = len(found)
    others = (cosines.sum(axis=1) - cosines.diagonal()) / (n - 1)
    to_original = own @ vectors[vector_key(made.original)]
    to_mean = own @ mean
    return Samples(
        samples=tuple(
            Sample(q.id, q.text, float(to_mean[i]), float(to_original[i]), float(others[i]))
            for i, q in enumerate(found)
        ),
        cosines=tuple(tuple(map(float, row)) for row in cosines),
        spread=1.0 - float(others.mean()),
    )


def alone(engine: Engine, made: Formulation, settings: SearchSettings) -> list[SearchResult]:
    """What each passage alone finds in the dense leg, cut to the same k: one batched search, nothing written.

    :raises BadFilter, UnknownName: as ``search_many``.
    """
    return search_many(engine, _apart(made), replace(settings, mode="dense"))


def _apart(made: Formulation) -> Sequence[Formulation]:
    return [
        replace(
            made,
            title=f"Passage {number}",
            queries=(replace(query, weight=1.0),),
            combine={},
            seconds=0.0,
            queued=0.0,
        )
        for number, query in enumerate(passages(made), start=1)
    ]
