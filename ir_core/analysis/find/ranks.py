"""Where one artifact stands in lists that are read to their end: one pass over the scores of each leg."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ir_core.fusion.centroid import Centroid
from ir_core.index import Index
from ir_core.index.ranks import TIE_DECIMALS, Mask, Rows, Scores
from ir_core.protocols import Vectors
from ir_core.retrieval import Engine
from ir_core.retrieval.engine import vector_key
from ir_core.retrieval.lists import bag_of
from ir_core.schema import Query

BLOCK = 8_192
"""Rows whose vectors are copied at a time: 12 MB at 384 dimensions."""
ROUGH = 1e-5
"""Sums of float32 are good to about 1e-6; what lies nearer to the document's own score is computed again."""


@dataclass(frozen=True, slots=True)
class Deep:
    """``rank`` from 1 among ``of`` artifacts, by the surface ``row`` with ``score``; all None where none matches."""

    rank: int | None
    of: int
    row: int | None = None
    score: float | None = None


@dataclass(frozen=True)
class Searched:
    """One query of one leg; of a mean vector also the queries it is made of."""

    leg: str
    query: Query
    members: tuple[Query, ...] = ()


def vectors_of(engine: Engine, searched: Sequence[Searched]) -> Vectors:
    """(len(searched), dim): encoded in one batch; what was searched before is not encoded again."""
    encoded = engine.encode([query for one in searched for query in (one.members or (one.query,))]).vectors
    rows = []
    for one in searched:
        if one.members:
            weights = [member.weight for member in one.members]
            rows.append(Centroid().mean([encoded[vector_key(member)] for member in one.members], weights))
        else:
            rows.append(encoded[vector_key(one.query)])
    return np.stack(rows)


def deep_ranks(engine: Engine, artifact: int, searched: Sequence[Searched], allowed: Mask | None) -> list[Deep]:
    """One answer per query and leg, in order.

    :param artifact: its number in the index; ``allowed`` (n,) as :meth:`Index.allowed` gives it.
    """
    dense = [one for one in searched if one.leg == "dense"]
    words = [one for one in searched if one.leg != "dense"]
    found = dict(zip(map(id, dense), dense_ranks(engine, artifact, dense, allowed), strict=True))
    found.update(zip(map(id, words), _lexical_ranks(engine.index, artifact, words, allowed), strict=True))
    return [found[id(one)] for one in searched]


def dense_ranks(
    engine: Engine,
    artifact: int,
    searched: Sequence[Searched],
    allowed: Mask | None,
    instead: Vectors | None = None,
) -> list[Deep]:
    """Exact ranks by the stored vectors, whatever the graph finds.

    :param instead: (m, dim) vectors put in the place of the artifact's own, to see where they would bring it.
    """
    if not searched:
        return []
    index, asked = engine.index, vectors_of(engine, searched)
    others = np.ones(index.n, dtype=np.bool_) if allowed is None else allowed.copy()
    of = len(np.unique(index.artifact_of[others]))
    own = np.flatnonzero(others & (index.artifact_of == artifact))
    if not len(own) and instead is None:
        return [Deep(None, of) for _ in searched]
    others[own] = False
    blocks = range(0, index.n, BLOCK)
    rough = np.concatenate([index.vectors(np.arange(at, min(at + BLOCK, index.n))) @ asked.T for at in blocks])
    found = []
    for number, vector in enumerate(asked):
        if instead is not None:
            row, score = None, float(_exact(instead, vector).max())
        else:
            scores = _exact(index.vectors(own), vector)
            place = np.lexsort((index.order[own], -np.round(scores, TIE_DECIMALS)))[0]
            row, score = int(own[place]), float(scores[place])
        ahead = others & (rough[:, number] > score + ROUGH)
        near = np.flatnonzero(others & (np.abs(rough[:, number] - score) <= ROUGH))
        ahead[near] = _before(index, near, _exact(index.vectors(near), vector), row, score)
        found.append(Deep(1 + len(np.unique(index.artifact_of[ahead])), of, row, score))
    return found


def _before(index: Index, rows: Rows, scores: Scores, row: int | None, score: float) -> Mask:
    """Which rows come before this one in a list: higher to six places, or equal with an earlier id."""
    rounded, own = np.round(scores, TIE_DECIMALS), np.round(score, TIE_DECIMALS)
    first = index.order[rows] < (index.order[row] if row is not None else 0)
    mask: Mask = (rounded > own) | ((rounded == own) & first)
    return mask


def _exact(vectors: Vectors, query: NDArray[np.float32]) -> Scores:
    scores: Scores = np.einsum("ij,j->i", vectors, query, dtype=np.float64)
    return scores


def _lexical_ranks(index: Index, artifact: int, searched: Sequence[Searched], allowed: Mask | None) -> list[Deep]:
    found = []
    for rows, scores in index.lexical([bag_of(index, one.query) for one in searched], index.n, allowed):
        artifacts = index.artifact_of[rows]
        own = np.flatnonzero(artifacts == artifact)
        of = len(np.unique(artifacts))
        if not len(own):
            found.append(Deep(None, of))
            continue
        at = int(own[0])
        found.append(Deep(1 + len(np.unique(artifacts[:at])), of, int(rows[at]), float(scores[at])))
    return found
