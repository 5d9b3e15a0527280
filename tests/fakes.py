"""An embedder to test with: readable, deterministic, as slow as asked, and it remembers what it was given."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence

import numpy as np

from ir_core.protocols import Vectors


class HashEmbedder:
    """A text's vector is drawn from a generator seeded by its hash: equal texts, equal vectors, nothing else.

    ``history`` holds the texts of every document call; ``delay`` is in seconds per call.
    """

    name = "fake"
    languages = None
    max_tokens = 12

    def __init__(self, *, dim: int = 24, delay: float = 0.0, fingerprint: str = "fake-1") -> None:
        self.dim, self.delay, self.fingerprint = dim, delay, fingerprint
        self.history: list[list[str]] = []

    @property
    def texts(self) -> list[str]:
        return [text for call in self.history for text in call]

    def encode_document(self, texts: Sequence[str]) -> Vectors:
        self.history.append(list(texts))
        time.sleep(self.delay)
        return self.encode_query(texts)

    def encode_query(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self._vector(text) for text in texts])

    def token_counts(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) + 2 for text in texts]

    def _vector(self, text: str) -> Vectors:
        seed = int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8], "big")
        vector = np.random.default_rng(seed).normal(size=self.dim).astype(np.float32)
        return vector / np.linalg.norm(vector)
