"""Condensing without a model: a follow-up that says too little alone is given the telling words said just before.

Carrying words over from the turns before is the old way of conversational search (as in TREC CAsT, Dalton et al.,
2020). Joining whole turns drags along what the conversation has left; a few rare words do not.
"""

from __future__ import annotations

import math

from ir_core.schema import Task, Written
from ir_core.text import stem, stopwords, tokenise
from ir_core.writers.corpus.feedback import near, words_of
from ir_core.writers.corpus.statistics import CorpusStatistics

TITLE = "Carried-over words, in place of condense"
SAYS_ENOUGH = 3
"""A follow-up with so many content words is left as it is. On mtrag_govt's tune half (103 queries) 43 have fewer; to
look for pronouns as well gained .002 and would need a list for every language."""
TURNS = 2
"""The user's last turns that are read: one alone lost .03 on the dense leg, all of them gained nothing."""
WORDS = 8
WEIGHT = 0.5
"""Of a carried word beside the query's words, for BM25: 1 lost .012 on the hybrid, .3 lost .009."""


def condense(task: Task, index: CorpusStatistics, language: str) -> list[Written]:
    """One text; the query itself, and a note that says so, where it says enough or there is nothing to carry over."""
    stop = stopwords(language) | stopwords("en")
    if len(_content(task.query, stop)) >= SAYS_ENOUGH:
        return [Written(task.query, note="it says enough to stand alone")]
    asked = [turn["content"] for turn in task.history if turn.get("role") == "user"]
    own = {stem(word, language) for word in tokenise(task.query)}
    said = dict.fromkeys(word for text in asked[-TURNS:] for word in _content(text, stop))
    rarity = {word: _rarity(word, index) for word in said if not near(word, own, language)}
    best = sorted((word for word in rarity if rarity[word] > 0), key=lambda word: -rarity[word])[:WORDS]
    carried = [word for word in rarity if word in best]
    if not carried:
        return [Written(task.query, note="the last turns hold no word of the corpus that could be carried over")]
    bag: dict[str, float] = {}
    for text, weight in ((task.query, 1.0), (" ".join(carried), WEIGHT)):
        for token in tokenise(text):
            bag[token] = bag.get(token, 0.0) + weight
    return [Written(f"{task.query} ({', '.join(carried)})", note="words of the user's last turns", terms=bag)]


def _content(text: str, stop: frozenset[str]) -> list[str]:
    words = dict.fromkeys(words_of(text))
    return [word for word in words if word not in stop and len(word) > 2 and not word.isdigit()]


def _rarity(word: str, index: CorpusStatistics) -> float:
    """Inverse document frequency; 0 for a word that no surface holds."""
    held = index.document_frequency(word)
    return math.log((len(index.surfaces) + 1) / (held + 0.5)) if held else 0.0
