"""The dense leg: cosine similarity, by Chroma's HNSW graph, with exact scores from the stored vectors.

Malkov and Yashunin, "Efficient and robust approximate nearest neighbor search using Hierarchical Navigable Small
World graphs" (2016). Chroma finds the candidates; scores are computed from the vectors themselves, so that ties are
real ties. Where the graph cannot answer exactly (a tie across the cut, a list deeper than the graph was searched,
many rows) or would be slower (few rows allowed), the vectors are scanned.
"""

from __future__ import annotations

import logging
import re
import threading
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ir_core.errors import IndexProblem, QueryPrismError
from ir_core.index.manifest import REPAIR
from ir_core.index.ranks import NOTHING, TIE_DECIMALS, Mask, Rows, Scores, best
from ir_core.protocols import Vectors

COLLECTION = "surfaces"
EF_SEARCH = 1_000
HNSW = {"space": "cosine", "ef_search": EF_SEARCH, "max_neighbors": 32, "ef_construction": 400}
"""300 of 300 top-100 lists equal to exact search on 5,183 documents, at 3.8 ms; Chroma's defaults gave 20 %."""
MANY, EF_CONSTRUCTION_MANY, EF_SEARCH_MANY = 20_000, 100, 2_000
"""From so many rows the graph is linked with less care, in half the time, and searched with more: of the first 50 of
100,000 word-hash vectors (hard ones, 256 dimensions) it finds 97.5 %; 94.9 % with an ``ef_search`` of 1,000."""
SCAN_ALL = 200_000
"""From ``MANY`` up to so many rows all are compared with the query: exact, where the graph with an ``ef_search`` of
1,000 overlooked one place in 20 of the first 50 (bench ``large``: hard vectors), and in about the same time."""
THIN = {"max_neighbors": 8, "ef_construction": 16}
"""Of a graph that nobody reads; it costs a tenth."""
ADD_ROWS, ADD_ROWS_MANY = 1_000, 5_000
"""Rows an ``add`` call takes: Chroma's limit is 5,461. Small steps report more often, can be cancelled, and end well
within a server's time to answer; large ones take two thirds of the time."""
SCAN_ROWS = 2_000
"""Up to so many allowed rows are scanned: under a millisecond a query, where Chroma takes ten to check its ids."""
UNWRITABLE = re.compile(r"disk is full|read-?only|no space left|unable to open database", re.IGNORECASE)
"""What Chroma, which writes whenever it opens a folder, says of a disk that is full or read-only."""
_log = logging.getLogger(__name__)
_opening = threading.Lock()  # eight threads that open one path at the same time fail


def write(folder: Path, vectors: Vectors, report: Callable[[int], None]) -> None:
    """A Chroma collection of ``vectors`` (n, dim) in ``folder``; ids are row numbers. ``report`` gets rows done.

    :raises IndexProblem: when Chroma cannot write it.
    """
    try:
        _write(folder, vectors, report)
    except QueryPrismError:
        raise
    except Exception as error:
        raise IndexProblem(
            f"Chroma could not write the vectors to {folder} ({error}). Make room on the disk and build again; what "
            "was embedded is kept."
        ) from error


def _write(folder: Path, vectors: Vectors, report: Callable[[int], None]) -> None:
    with _opening:
        client, end = _client(folder)
    try:
        settings = {"hnsw": hnsw(len(vectors), scanned=all_scanned(len(vectors)))}
        collection = client.create_collection(COLLECTION, configuration=settings, embedding_function=None)
        step = ADD_ROWS if len(vectors) < MANY else ADD_ROWS_MANY
        for start in range(0, len(vectors), step):
            stop = min(start + step, len(vectors))
            collection.add(ids=[str(row) for row in range(start, stop)], embeddings=np.asarray(vectors[start:stop]))
            report(stop)
    finally:
        end()


def all_scanned(n: int) -> bool:
    """Whether every search of ``n`` vectors compares all of them, and none reads their graph. That of a single one
    Chroma writes anew whenever it opens it: it syncs two at the least."""
    return n == 1 or MANY <= n <= SCAN_ALL


def hnsw(n: int, *, scanned: bool = False) -> dict[str, Any]:
    """Chroma's settings of the graph of ``n`` vectors.

    :param scanned: every search compares all rows, so the graph, which Chroma links in any case, is linked thinly.
    """
    # Written out once, at the end: sooner costs time, later leaves rows to be inserted again at every opening.
    settings = {**HNSW, "sync_threshold": max(2, n), "batch_size": max(2, min(100, n))}
    many = {"ef_construction": EF_CONSTRUCTION_MANY, "ef_search": EF_SEARCH_MANY}
    return settings if n < MANY else {**settings, **many, **(THIN if scanned else {})}


class Dense:
    """Reads the collection in ``folder``. Chroma is opened at the first search, once. Safe for threads.

    :param vectors: (n, dim) the same vectors, float32, unit rows.
    :param order: (n,) the place of each row when sorted by surface id.
    """

    def __init__(self, folder: Path, vectors: Vectors, order: NDArray[np.int32]) -> None:
        self.folder, self.vectors, self.order = folder, vectors, order
        self._collection: Any = None
        self._told = False
        self._closer: weakref.finalize[..., Any] | None = None

    def search(self, queries: Vectors, n: int, allowed: Mask | None = None) -> list[tuple[Rows, Scores]]:
        """For each row of ``queries`` (q, dim) the ``n`` most similar rows and their cosine similarity.

        All queries go to Chroma in one call.

        :raises IndexProblem: when the collection cannot be read.
        """
        rows = None if allowed is None else np.flatnonzero(allowed)
        available = len(self.vectors) if rows is None else len(rows)
        n = min(n, available)
        if n <= 0 or not len(queries):
            return [NOTHING for _ in queries]
        few = rows is not None and available <= SCAN_ROWS
        if few or n >= EF_SEARCH or all_scanned(len(self.vectors)):
            return scan(self.vectors, queries, n, self.order, rows)
        # One more than asked for shows whether equal scores lie on both sides of the cut.
        wanted = min(n + 1, available)
        ids = None if rows is None else [str(row) for row in rows]
        found = []
        for number, names in enumerate(self._ask(queries, wanted, ids)):
            query = queries[number]
            candidates = np.array([int(name) for name in names], dtype=np.int64)
            ranked, scores = best(candidates, scores_of(self.vectors[candidates], query), wanted, self.order)
            if len(ranked) < wanted or (wanted > n and tied(scores[n - 1], scores[n])):
                found += scan(self.vectors, queries[number : number + 1], n, self.order, rows)
            else:
                found.append((ranked[:n], scores[:n]))
        return found

    def close(self) -> None:
        if self._closer is not None:
            self._closer()

    def take(self, rows: Sequence[int] | Rows) -> Vectors:
        """(len(rows), dim) the vectors of these rows."""
        return self.vectors[np.asarray(rows, dtype=np.int64)]

    def _ask(self, queries: Vectors, n: int, ids: list[str] | None) -> Sequence[Sequence[str]]:
        try:
            answer = self._open().query(query_embeddings=np.asarray(queries), n_results=n, ids=ids, include=[])
        except Exception as error:
            if not UNWRITABLE.search(str(error)):
                raise self._damaged(error) from error
            level, self._told = logging.DEBUG if self._told else logging.WARNING, True
            build = self.folder.parent
            _log.log(level, "The disk of %s takes nothing (%s), so every vector is compared.", build, error)
            return [() for _ in queries]
        listed: Sequence[Sequence[str]] = answer["ids"]
        return listed

    def _open(self) -> Any:
        with _opening:
            if self._collection is None:
                if not (self.folder / "chroma.sqlite3").is_file():
                    raise FileNotFoundError("chroma.sqlite3 is missing")
                client, end = _client(self.folder)
                self._closer = weakref.finalize(self, end)
                self._closer.atexit = False
                self._collection = client.get_collection(COLLECTION, embedding_function=None)
            return self._collection

    def _damaged(self, error: Exception) -> IndexProblem:
        if self._closer is not None and not self._closer.alive:
            return IndexProblem("This index was closed because another build took its place. Search again.")
        return IndexProblem(
            f"The dense part of the index {self.folder.parent.name} cannot be read ({error}). {REPAIR}"
        )


def scan(
    vectors: Vectors, queries: Vectors, n: int, order: NDArray[np.int32], rows: Rows | None = None
) -> list[tuple[Rows, Scores]]:
    """For each row of ``queries`` (q, dim) the ``n`` best of ``vectors`` (m, dim) by comparing it with each.

    :param order: (m,) the place of each row when sorted by surface id.
    :param rows: the only ones allowed; ``n`` is at most their number, else m.
    """
    if rows is not None and len(rows) <= SCAN_ROWS:
        rough = vectors[rows] @ queries.T
    else:
        rough = vectors @ queries.T
        rough = rough if rows is None else rough[rows]
    found = []
    for query, column in zip(queries, np.ascontiguousarray(rough.T), strict=True):
        # Sums of float32 are good to about 1e-6; what is near the cut is computed again.
        near = np.flatnonzero(column >= np.partition(column, len(column) - n)[len(column) - n] - 1e-5)
        candidates = near if rows is None else rows[near]
        found.append(best(candidates, scores_of(vectors[candidates], query), n, order))
    return found


def scores_of(vectors: Vectors, query: NDArray[np.float32]) -> Scores:
    """(m,) the cosines of unit rows, summed in float64."""
    scores: Scores = np.einsum("ij,j->i", vectors, query, dtype=np.float64)
    return scores


def tied(one: float, other: float) -> bool:
    return bool(np.round(one, TIE_DECIMALS) == np.round(other, TIE_DECIMALS))


def _client(folder: Path) -> tuple[Any, Callable[[], None]]:
    """A client, and what ends it. Chroma would share one system among all clients of a path, also when another
    process has moved the files away and put others there, and would remember a path that failed to open: here each
    has its own."""
    import chromadb
    from chromadb.api.shared_system_client import SharedSystemClient
    from chromadb.config import Settings

    name = str(folder)
    try:
        client = chromadb.PersistentClient(name, settings=Settings(anonymized_telemetry=False))
    finally:
        system = SharedSystemClient._identifier_to_system.pop(name, None)
        SharedSystemClient._identifier_to_refcount.pop(name, None)
    assert system is not None
    return client, system.stop
