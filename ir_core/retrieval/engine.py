"""An index together with what reads queries for it, and the vectors it has already made."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ir_core.errors import EmbedderMismatch
from ir_core.index import Index
from ir_core.protocols import Embedder, Reranker, Timer
from ir_core.schema import Query

MAX_VECTORS = 4_096
"""About 6 MB at 384 dimensions: an afternoon of queries, and a bound."""
Key = tuple[str, ...]


def vector_key(query: Query) -> Key:
    """What a query's vector depends on: its stored surfaces, or its text and whether it is read as a document."""
    if query.surface_ids:
        return ("stored", *query.surface_ids)
    return ("document" if query.role == "hypothetical" else "query", query.text)


@dataclass(frozen=True, slots=True)
class Encoded:
    """By ``vector_key``: vector (dim,) and own share of the encoding in seconds (by tokens; 0 for a reused one).
    ``queued`` is the wait for the lock."""

    vectors: Mapping[Key, NDArray[np.float32]]
    seconds: Mapping[Key, float]
    reused: frozenset[Key]
    queued: float


@dataclass
class Engine:
    """Safe to share between threads and visitors.

    :raises EmbedderMismatch: when the index was made by another embedder.
    """

    index: Index
    embedder: Embedder
    reranker: Reranker | None = None
    _vectors: OrderedDict[Key, NDArray[np.float32]] = field(default_factory=OrderedDict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def __post_init__(self) -> None:
        made_by = self.index.manifest.embedder_fingerprint
        if made_by != self.embedder.fingerprint:
            raise EmbedderMismatch(
                f"This index was made by the embedder {self.index.manifest.embedder!r}, but {self.embedder.name!r} "
                "is to read the queries; their vectors cannot be compared. Choose the embedder of the index, or "
                "build the index again with the other one."
            )

    def encode(self, queries: Sequence[Query]) -> Encoded:
        """A query with ``surface_ids`` gets the mean of those stored vectors; a text met before is not read again."""
        waiting = Timer()
        with self._lock:
            queued = waiting.seconds
            timer = Timer()
            keys = list(dict.fromkeys(vector_key(query) for query in queries))
            texts = [key for key in keys if key[0] != "stored"]
            tokens = self._encode_missing([key for key in texts if key not in self._vectors])
            vectors: dict[Key, NDArray[np.float32]] = {}
            for key in keys:
                if key[0] == "stored":
                    rows = [self.index.row_of[surface] for surface in key[1:]]
                    vectors[key] = np.asarray(self.index.vectors(rows).mean(axis=0))
                else:
                    self._vectors.move_to_end(key)
                    vectors[key] = self._vectors[key]
            while len(self._vectors) > MAX_VECTORS:
                self._vectors.popitem(last=False)
            each = timer.seconds / max(1, sum(tokens.values()))
        shares = {key: each * tokens.get(key, 0) for key in keys}
        return Encoded(vectors, shares, frozenset(key for key in texts if key not in tokens), queued)

    def _encode_missing(self, keys: Sequence[Key]) -> dict[Key, int]:
        tokens: dict[Key, int] = {}
        for kind, encode in (("query", self.embedder.encode_query), ("document", self.embedder.encode_document)):
            texts = [key[1] for key in keys if key[0] == kind]
            if not texts:
                continue
            counts = self.embedder.token_counts(texts)
            for text, vector, count in zip(texts, encode(texts), counts, strict=True):
                self._vectors[kind, text] = vector
                tokens[kind, text] = max(1, min(count, self.embedder.max_tokens))
        return tokens
