"""What the corpus' statistics say of a query before any search: which of its words are missing, and whether one
document holds them together (specificity and relatedness among pre-retrieval predictors of query performance: Hauff,
Hiemstra and de Jong, CIKM 2008)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ir_core.index import Index
from ir_core.text import stem, tokenise

ENDINGS = ("", "s", "es", "e", "ed", "d", "ing", "er", "or", "ion", "al", "y", "ies", "ment")
"""Put on a stem to look for the other forms of a word: stemming a whole vocabulary would take seconds."""
_BEFORE = ("", "ال", "و", "وال", "ب", "بال", "ل", "لل", "ك", "ف")
_AFTER = ("", "ه", "ة", "ها", "ي", "ك", "كم", "نا", "هم", "ات", "ين", "ون", "ان", "تي", "ته", "ية", "يه")
"""Arabic writes articles, prepositions and possessives onto the word (Larkey, Ballesteros and Connell, Improving
Stemming for Arabic Information Retrieval, SIGIR 2002)."""
READ = 3
"""Documents of which the titles are read."""


@dataclass(frozen=True, slots=True)
class Standing:
    """``unknown``: the words of which the corpus has no form. ``together``: the share of the words, each weighing its
    inverse document frequency, that the one document with most of them holds. ``titled``: the share of the words that
    stand in the title of one of the documents with most of them."""

    unknown: tuple[str, ...]
    together: float
    titled: float


def standing(words: Sequence[str], index: Index, language: str) -> Standing:
    """:param words: the telling ones, normalised; each adds one pass over the documents that hold it."""
    n = max(1, len(index.artifact_ids))
    held = np.zeros(n)
    unknown, everything = [], 0.0
    known = {word: {form for form in forms(word, language) if form in index.vocabulary} for word in words}
    for word in words:
        rows = index.holding(known[word])
        artifacts = np.zeros(n, np.bool_)
        artifacts[index.artifact_of[rows]] = True
        count = int(artifacts.sum())
        weight = math.log(1 + (n - count + 0.5) / (count + 0.5))
        everything += weight
        held += weight * artifacts
        if not count and not word.isdecimal():
            unknown.append(word)
    best = float(held.max(initial=0.0))
    if not best:
        return Standing(tuple(unknown), 0.0, 0.0)
    near = np.flatnonzero(held >= 0.8 * best)
    first = near[np.argsort(-held[near], kind="stable")[:READ]]
    titles = [set(tokenise(index.titles[number])) for number in first]
    shares = [sum(not title.isdisjoint(known[word]) for word in words) / len(words) for title in titles]
    return Standing(tuple(unknown), best / everything, max(shares))


def forms(word: str, language: str = "en") -> set[str]:
    """The word and its other forms, of which not all need to exist."""
    if any("\u0600" <= letter <= "\u06ff" for letter in word):
        cores = {word, *(word[len(b) :] for b in _BEFORE[1:] if word.startswith(b) and len(word) - len(b) > 2)}
        cores |= {
            core[: -len(a)] for core in cores for a in _AFTER[1:] if core.endswith(a) and len(core) - len(a) > 2
        }
        return {before + core + after for core in cores for before in _BEFORE for after in _AFTER}
    base = stem(word, language)
    return {word, *(base + ending for ending in ENDINGS)}
