"""Feature hashing of words and character trigrams: a reference embedder that needs no model and reads any language.

Weinberger et al., "Feature Hashing for Large Scale Multitask Learning" (ICML 2009): every feature adds +1 or -1 to
the dimension its hash names. The same text gives the same vector in every process and on every machine.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ir_core.protocols import Vectors
from ir_core.text import tokenise

TRIGRAM_WEIGHT = 0.3
"""Spelling brings forms of one word together; it should not outweigh the words themselves."""


@dataclass(frozen=True)
class Hashing:
    name = "hashing"
    label = "Word hashing (reference, not semantic)"
    summary = "Knows spelling, not meaning: for tests and demonstrations, and for seeing what a model adds."
    reference = "Weinberger et al. 2009 (feature hashing)"
    order = 2
    languages: frozenset[str] | None = None
    max_tokens = 1_000_000
    dim = 256
    fingerprint = "hashing-1:256"

    def open(self) -> Hashing:
        return self

    def encode_document(self, texts: Sequence[str]) -> Vectors:
        """(n, 256), unit rows; a text without a word gives one fixed unit vector."""
        vectors = np.zeros((len(texts), self.dim), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for feature, weight in _features(tokenise(text)):
                code = zlib.crc32(feature.encode("utf-8", "surrogatepass"))
                row[code % self.dim] += weight if code >> 31 else -weight
            length = float(np.linalg.norm(row))
            if length > 0:
                row /= length
            else:
                row[0] = 1.0
        return vectors

    def encode_query(self, texts: Sequence[str]) -> Vectors:
        return self.encode_document(texts)

    def token_counts(self, texts: Sequence[str]) -> list[int]:
        return [len(tokenise(text)) for text in texts]


def _features(words: Sequence[str]) -> list[tuple[str, float]]:
    found = [(word, 1.0) for word in words]
    for word in words:
        padded = f"<{word}>"
        found += [(padded[start : start + 3], TRIGRAM_WEIGHT) for start in range(len(padded) - 2)]
    return found
