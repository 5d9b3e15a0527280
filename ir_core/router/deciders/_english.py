"""How common a word is in English at large, against which a word of one trade stands out."""

from __future__ import annotations

from collections.abc import Iterable

from ir_core.writers.corpus.spelling import english_counts


def least_common(words: Iterable[str]) -> int | None:
    """The smallest count of the words in Latin letters; 0 where one is no English, None where there is no word."""
    found = [english_counts().get(word, 0) for word in words if word.isascii() and word.isalpha()]
    return min(found, default=None)
