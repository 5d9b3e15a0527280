"""The dense leg of a build whose vectors are on a Chroma server or in Chroma Cloud.

The collection's graph finds candidates and gives their vectors with them; scores are computed here from those, as in
``dense``. Few allowed rows are read and scanned, so short filtered lists are exact; a tie across the cut is settled
by asking for more. What stays approximate is what the graph overlooks, and, in the cloud, lists beyond its limit.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ir_core.errors import IndexProblem
from ir_core.index.chroma_client import SEARCHING, asking
from ir_core.index.chroma_place import Held, Place
from ir_core.index.dense import SCAN_ROWS, scan, scores_of, tied
from ir_core.index.ranks import NOTHING, Mask, Rows, Scores, best
from ir_core.protocols import Vectors

CLOUD_ROWS = 300
"""Chroma Cloud returns no more results, and takes no more rows in one write (its page "Quotas & Limits", 2026)."""
READ_ROWS = 1_000
"""Vectors of one answer: some 8 MB of JSON at 384 dimensions."""
WIDEST = 4_000
"""Beyond so many candidates their vectors are not asked for, but the graph's own distances, good to six places."""
IDS = 100_000
"""Ids sent with one search: below a megabyte of the 40 MB a server takes. Where more rows are allowed the search goes
without them and asks for more, of which the allowed are kept."""


def rows_at_once(place: Place, otherwise: int = READ_ROWS) -> int:
    """How many rows one request to ``place`` may read or write."""
    return min(CLOUD_ROWS, otherwise) if place.kind == "cloud" else otherwise


class RemoteDense:
    """Reads the collection ``held``, opened at the first search. Safe for threads.

    :param shape: (n, dim) of the vectors.
    :param order: (n,) the place of each row when sorted by surface id.
    """

    def __init__(self, held: Held, shape: tuple[int, int], order: NDArray[np.int32]) -> None:
        self.held, self.shape, self.order = held, shape, order
        self._collection: Any = None
        self._opening = threading.Lock()

    def search(self, queries: Vectors, n: int, allowed: Mask | None = None) -> list[tuple[Rows, Scores]]:
        """As :meth:`dense.Dense.search`; one request for all queries, and one more where ties or gaps are to settle.

        :raises IndexProblem: when the server does not answer, or the collection is not what it was.
        """
        rows = None if allowed is None else np.flatnonzero(allowed)
        available = self.shape[0] if rows is None else len(rows)
        n = min(n, available)
        if n <= 0 or not len(queries):
            return [NOTHING for _ in queries]
        if rows is not None and available <= SCAN_ROWS:
            return self._scanned(queries, n, rows)
        found: list[tuple[Rows, Scores]] = [NOTHING] * len(queries)
        pending, wanted = list(range(len(queries))), min(n + 1, available)
        while pending:
            last = wanted >= min(available, max(WIDEST, n + 1)) or self._most(wanted) < wanted
            answers = self._ask(queries[pending], wanted, rows)
            for number, (candidates, scores) in zip(list(pending), answers, strict=True):
                ranked, scores = best(candidates, scores, len(candidates), self.order)
                found[number] = ranked[:n], scores[:n]
                cut = len(ranked) >= wanted and (wanted == n or not tied(scores[n - 1], scores[wanted - 1]))
                if last or cut:
                    pending.remove(number)
            wanted = min(available, wanted * 4)
        gaps = [number for number, (ranked, _) in enumerate(found) if len(ranked) < n]
        if gaps and available <= SCAN_ROWS:  # the graph of identical vectors falls apart
            for number, settled in zip(gaps, self._scanned(queries[gaps], n, np.arange(available)), strict=True):
                found[number] = settled
        return found

    def take(self, rows: Sequence[int] | Rows) -> Vectors:
        """(len(rows), dim) the vectors of these rows, read from the server.

        :raises IndexProblem: as ``search``; also when some are missing.
        """
        asked = np.asarray(rows, dtype=np.int64)
        distinct, back = np.unique(asked, return_inverse=True)
        vectors = np.full((len(distinct), self.shape[1]), np.nan, dtype=np.float32)
        step = rows_at_once(self.held.place)
        with asking(self.held.place, SEARCHING) as client:
            for start in range(0, len(distinct), step):
                ids = [str(row) for row in distinct[start : start + step]]
                answer = self._open(client).get(ids=ids, include=["embeddings"])
                named = np.array([int(name) for name in answer["ids"]], dtype=np.int64)
                if len(named):
                    vectors[np.searchsorted(distinct, named)] = answer["embeddings"]
        if np.isnan(vectors).any():
            raise self._changed(int((~np.isnan(vectors[:, 0])).sum()), len(distinct))
        return vectors[back]

    def close(self) -> None:
        """Nothing is held open but the process' client of the place."""

    def _scanned(self, queries: Vectors, n: int, rows: Rows) -> list[tuple[Rows, Scores]]:
        found = scan(self.take(rows), queries, n, self.order[rows])
        return [(rows[local], scores) for local, scores in found]

    def _most(self, wanted: int) -> int:
        return rows_at_once(self.held.place, max(1, wanted))

    def _ask(self, queries: Vectors, wanted: int, rows: Rows | None) -> list[tuple[Rows, Scores]]:
        """For each query its candidates and their scores."""
        ids, ask_for = None, wanted
        if rows is not None and len(rows) <= IDS:
            ids = [str(row) for row in rows]
        elif rows is not None:
            ask_for = min(self.shape[0], int(wanted * self.shape[0] / len(rows) * 2))
        ask_for = self._most(ask_for)
        what = "embeddings" if ask_for <= WIDEST else "distances"
        with asking(self.held.place, SEARCHING) as client:
            answer = self._open(client).query(
                query_embeddings=np.asarray(queries), n_results=ask_for, ids=ids, include=[what]
            )
        found = []
        for query, names, told in zip(queries, answer["ids"], answer[what], strict=True):
            candidates = np.array([int(name) for name in names], dtype=np.int64)
            values = np.asarray(told, dtype=np.float32)
            scores = scores_of(values, query) if what == "embeddings" and len(values) else 1.0 - values.astype(float)
            if rows is not None:
                kept = np.isin(candidates, rows)
                candidates, scores = candidates[kept], scores[kept]
            found.append((candidates, scores))
        return found

    def _open(self, client: Any) -> Any:
        with self._opening:
            if self._collection is None:
                collection = client.get_collection(self.held.collection, embedding_function=None)
                if (count := collection.count()) != self.shape[0]:
                    raise self._changed(count, self.shape[0])
                self._collection = collection
            return self._collection

    def _changed(self, found: int, expected: int) -> IndexProblem:
        return IndexProblem(
            f"The collection of this index on {self.held.place.label} has {found:,} of {expected:,} vectors. Build "
            "the index again; what was embedded is kept."
        )
