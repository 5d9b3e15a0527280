"""Every distinct (text, leg) searched once, in one call to each leg, read to the same depth of artifacts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ir_core.index import Index
from ir_core.schema import Query

Rows = NDArray[np.int64]
Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Found:
    """One list: artifact and surface row numbers and the leg's scores, best first, one surface per artifact."""

    artifacts: Rows
    surfaces: Rows
    scores: Scores


def dense_lists(
    index: Index, vectors: NDArray[np.float32], depth: int, allowed: NDArray[np.bool_] | None
) -> list[Found]:
    """One list per row of ``vectors`` (q, dim)."""
    return _read(index, len(vectors), depth, lambda picks, n: index.dense(vectors[picks], n, allowed))


def lexical_lists(
    index: Index, queries: Sequence[Query], depth: int, allowed: NDArray[np.bool_] | None
) -> list[Found]:
    """One list per query, by its ``term_weights`` or the counts of its words."""
    bags = [bag_of(index, query) for query in queries]
    return _read(index, len(bags), depth, lambda picks, n: index.lexical([bags[i] for i in picks], n, allowed))


def bag_of(index: Index, query: Query) -> dict[str, float]:
    """What the lexical leg looks for, token to weight."""
    if query.term_weights is not None:
        return dict(query.term_weights)
    bag: dict[str, float] = {}
    for word in index.tokenise(query.text):
        bag[word] = bag.get(word, 0.0) + 1.0
    return bag


def _read(
    index: Index,
    count: int,
    depth: int,
    ask: Callable[[list[int], int], list[tuple[Rows, Scores]]],
) -> list[Found]:
    """Reads deeper where several surfaces of one artifact used up the places, until the depth is full."""
    found: dict[int, Found] = {}
    pending = list(range(count))
    surfaces_each = index.n / max(1, len(index.artifact_ids))
    n = min(index.n, int(depth * max(1.0, 1.5 * surfaces_each)) if surfaces_each > 1 else depth)
    while pending and n > 0:
        for number, (rows, scores) in zip(pending, ask(pending, n), strict=True):
            list_ = _collapse(index, rows, scores)
            if len(list_.artifacts) >= depth or len(rows) < n or n >= index.n:
                found[number] = Found(list_.artifacts[:depth], list_.surfaces[:depth], list_.scores[:depth])
        pending = [number for number in pending if number not in found]
        n = min(index.n, n * 4)
    empty = Found(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float64))
    return [found.get(number, empty) for number in range(count)]


def _collapse(index: Index, rows: Rows, scores: Scores) -> Found:
    """The first, so best, surface of each artifact."""
    artifacts = index.artifact_of[rows]
    _, first = np.unique(artifacts, return_index=True)
    first.sort()
    return Found(artifacts[first].astype(np.int64), np.asarray(rows)[first], np.asarray(scores)[first])
