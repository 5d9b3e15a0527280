"""Step-back without a model: the broader subject that the first hits share, by their titles and commonest words.

Zheng et al. (ICLR 2024) ask an LLM for the more general question. Here narrowing words (numbers, names, words few
documents hold) go, and what the titles of the first hits have in common comes in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import regex

from ir_core.protocols import RunContext
from ir_core.schema import Hit, Task, Written
from ir_core.text import normalise, stem, stopwords, tokenise
from ir_core.writers.corpus.feedback import feedback
from ir_core.writers.corpus.statistics import CorpusStatistics

DOCUMENTS = 5
WEIGHT = 0.5
KEPT = 0.5
_WORD = regex.compile(r"[\p{L}\p{M}\d](?:[\p{L}\p{M}\d\-'’]*[\p{L}\p{M}\d])?")


def step_back(task: Task, index: CorpusStatistics, language: str, context: RunContext) -> list[Written]:
    hits = feedback(task, context)[:DOCUMENTS]
    head = head_words(task.query, index, language)
    shared = shared_title_words(hits, language)
    words = [*head]
    have = {stem(normalise(word), language) for word in head}
    words += [word for word in shared if stem(normalise(word), language) not in have]
    return [Written(" ".join(words) or task.query, weight=WEIGHT)]


def head_words(query: str, index: CorpusStatistics, language: str) -> list[str]:
    stop = stopwords(language) | stopwords("en")
    words = []
    for match in _WORD.finditer(query):
        word = match.group()
        plain = normalise(word)
        if plain in stop or any(char.isdigit() for char in word):
            continue
        words.append(word)
    ranked = sorted(words, key=lambda word: -index.document_frequency(normalise(word)))
    keep = set(ranked[: max(1, round(len(words) * KEPT))])
    return [word for word in words if word in keep]


def shared_title_words(hits: Sequence[Hit], language: str, limit: int = 3) -> list[str]:
    stop = stopwords(language) | stopwords("en")
    counts: Counter[str] = Counter()
    shown: dict[str, str] = {}
    for hit in hits:
        seen = set()
        for match in _WORD.finditer(hit.title):
            plain = normalise(match.group())
            if plain in stop or any(c.isdigit() for c in plain) or len(plain) < 3: continue
            key = stem(plain, language)
            shown.setdefault(key, plain)
            if key not in seen: counts[key] += 1; seen.add(key)
    return [shown[key] for key, n in counts.most_common(limit) if n > 1]
