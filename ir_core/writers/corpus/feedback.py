"""What the first hits say about a query: the words that tell a document from the corpus.

A word's score is its share of the Kullback-Leibler divergence between document and corpus (Carpineto et al., TOIS
2001), which picks the words of the relevance model RM3 (Lavrenko and Croft, SIGIR 2001; Abdul-Jaleel et al., TREC
2004) that are not merely common.
"""

from __future__ import annotations

import math
from collections.abc import Collection

import regex

from ir_core.errors import WriterError
from ir_core.protocols import RunContext
from ir_core.schema import ORIGINAL, Hit, Query, Task
from ir_core.text import normalise, stem, stopwords, tokenise
from ir_core.writers.corpus.statistics import CorpusStatistics

DEPTH = 10
"""One depth for every task, so that a comparison searches for feedback once."""
COMMON = 0.25
"""A word in more than this share of the surfaces tells little; it also stops the stop words of unknown languages."""
MIN_SURFACES = 2
"""A word that one surface alone holds can only find that surface again."""

_TELLING = regex.compile(r"(?=.*\p{L})[\p{L}\p{M}\d_\-]{3,30}|\p{Han}{2}|[\p{Hiragana}\p{Katakana}]{2,}")
_WORD = regex.compile(r"\d[\d.,]*\d|\w(?:[\w\-]*\w)?")
_OPENS = regex.compile(r"[.!?:\n]\W*$")


def feedback(task: Task, context: RunContext) -> tuple[Hit, ...]:
    """The hybrid's first hits for the query, whatever the comparison's mode; those of the task when it brings some.

    :raises WriterError: when nothing is found.
    """
    context.check()
    hits = task.hits
    if not hits:
        asked = [Query(ORIGINAL, task.query)]
        hits = context.searcher.search(asked, mode="hybrid", depth=DEPTH, label="feedback")[0].hits
    if not hits:
        raise WriterError("The query found no document, so there is no feedback to work from.")
    return hits


def telling_words(
    hit: Hit, query: str, index: CorpusStatistics, language: str, corpus_tokens: int
) -> dict[str, float]:
    """Word to score, best first: words of the hit's surface that the query does not hold in any form."""
    counts = index.term_counts([index.row_of[hit.surface_id]])[0]
    size = sum(counts.values())
    most = max(MIN_SURFACES, COMMON * len(index.surfaces))
    stop = stopwords(language) | stopwords("en")
    asked = {stem(word, language) for word in tokenise(query)}
    scores = {}
    for word, count in counts.items():
        if word in stop or not _TELLING.fullmatch(word) or near(word, asked, language):
            continue
        if not MIN_SURFACES <= index.document_frequency(word) <= most:
            continue
        share, background = count / size, index.collection_frequency(word) / corpus_tokens
        scores[word] = share * math.log(share / background)
    return dict(sorted(scores.items(), key=lambda item: (-item[1], item[0])))


def near(word: str, stems: Collection[str], language: str) -> bool:
    """The word's stem is among them, or is the beginning of one, or begins with one, five letters or more."""
    own = stem(word, language)
    return own in stems or any(
        min(len(own), len(other)) >= 5 and (own.startswith(other) or other.startswith(own)) for other in stems
    )


def corpus_tokens(index: CorpusStatistics) -> int:
    return max(1, sum(index.collection_frequency(word) for word in index.vocabulary))


def words_of(text: str) -> list[str]:
    """The words as they are written, normalised, identifiers whole."""
    return [normalise(match.group()) for match in _WORD.finditer(text)]


def phrases(words: Collection[str], text: str) -> list[str]:
    """The words as the text has them, in its order; neighbours make one phrase, each word is shown once.

    A capital goes where the text also has the word without one, or where it only opens a sentence.
    """
    left = set(words)
    matches = list(_WORD.finditer(text))
    written = {match.group() for match in matches}
    found: list[str] = []
    end = -1
    for match in matches:
        shown = match.group()
        word = normalise(shown)
        if word not in left:
            continue
        left.discard(word)
        opens = not match.start() or _OPENS.search(text[max(0, match.start() - 4) : match.start()])
        if word in written or (opens and shown[1:].islower()):
            shown = shown.lower()
        if end >= 0 and text[end : match.start()] == " ":
            found[-1] += f" {shown}"
        else:
            found.append(shown)
        end = match.end()
    return [*found, *sorted(left)]
