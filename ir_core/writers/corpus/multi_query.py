"""Variants by pseudo-relevance feedback: the query with the most telling words of one first hit each.

RM3 (Lavrenko and Croft, SIGIR 2001; Abdul-Jaleel et al., TREC 2004) mixes the query with one model of all feedback
documents; here each document gives a model of its own, so that the variants differ and can be read.
"""

from __future__ import annotations

from ir_core.errors import WriterError
from ir_core.protocols import RunContext
from ir_core.schema import Task, Written
from ir_core.text import stem, tokenise
from ir_core.writers.corpus.feedback import corpus_tokens, feedback, near, phrases, telling_words
from ir_core.writers.corpus.statistics import CorpusStatistics, derived

WORDS = 4
"""Words a variant adds."""
WEIGHT = 0.5
"""A variant's weight beside the query's 1: with 1 the tuning queries gained .002 on one set, lost .009 on another."""
MIX = 0.3
"""RM3's share of the feedback model; the query keeps the rest. The usual .5 is for language models; BM25 multiplies
rare words by their IDF once more, and with .5 it lost .05 on code, with .3 .01."""


def multi_query(task: Task, index: CorpusStatistics, language: str, context: RunContext) -> list[Written]:
    """Up to ``task.n`` variants, no two with a word in common that the query lacks.

    :raises WriterError: when nothing is found, or the hits hold no word that tells them from the corpus.
    """
    total = derived(index).get(corpus_tokens)
    used: set[str] = set()
    made: list[Written] = []
    for hit in feedback(task, context):
        scores = telling_words(hit, task.query, index, language, total)
        chosen: dict[str, float] = {}
        for word, score in scores.items():
            if len(chosen) < WORDS and not near(word, used, language):
                chosen[word] = score
                used.add(stem(word, language))
        if chosen:
            shown = ", ".join(phrases(chosen, hit.text))
            text = f"{task.query}{' ' if task.query[-1:] in '?.!؟' else ': '}{shown}"
            terms = _mixed(task.query, chosen)
            made.append(Written(text, note=f"words of “{hit.title}”", weight=WEIGHT, terms=terms))
        if len(made) == max(1, task.n):
            break
    if not made:
        raise WriterError(
            "The first hits hold no word, beyond the query's, that tells them from the other documents."
        )
    return made


def _mixed(query: str, scores: dict[str, float]) -> dict[str, float]:
    """(1 − MIX) of the query's word distribution and MIX of the feedback's."""
    words = tokenise(query)
    bag: dict[str, float] = {}
    for word in words:
        bag[word] = bag.get(word, 0.0) + (1 - MIX) / len(words)
    total = sum(scores.values())
    for word, score in scores.items():
        bag[word] = bag.get(word, 0.0) + MIX * score / total
    return bag
