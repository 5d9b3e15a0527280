"""Which language's rules apply to a query: a few words are too little for a detector, so the corpus has a say."""

from __future__ import annotations

from functools import lru_cache

from ir_core.language import detect
from ir_core.text import stopwords


def language_of(query: str, of_corpus: str | None) -> str:
    """The corpus' language for a query in its script (plain ASCII, where that script is Latin), else what the
    detector says, else the corpus' language, else English."""
    if of_corpus and query.isascii() and _is_latin(of_corpus):
        return of_corpus
    return detect(query) or of_corpus or "en"


@lru_cache(maxsize=32)
def _is_latin(language: str) -> bool:
    words = stopwords(language)
    return 2 * sum(word.isascii() for word in words) > len(words)
