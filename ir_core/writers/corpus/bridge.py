"""A second hop without a model: what the first document says, and what the question still asks.

The bridge query takes the place of a sub-question whose blank is filled. Multi-hop retrievers expand the query with
what the first hop found in the same way (MUPPET, Feldman and El-Yaniv, ACL 2019; GoldEn, Qi et al., EMNLP 2019), with
trained models where words are counted here.
"""

from __future__ import annotations

import regex

from ir_core.protocols import RunContext
from ir_core.schema import Hit, Task, Written
from ir_core.text import sentences, stem, stopwords, tokenise
from ir_core.writers.corpus.feedback import feedback, words_of
from ir_core.writers.corpus.second_hop import may_have_second_hop

TITLE = "Bridge query, in place of sequential decomposition"
MAX_CHARS = 400
"""Of the sentence: about 100 tokens, so that the question's words stay within what an embedder reads."""
SIMPLE = "One question, which one document can answer; left whole."
WHOLE = "The first documents hold every word of the question; left whole."
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}]|[\p{Han}\p{Hiragana}\p{Katakana}]")


def bridge(task: Task, language: str, context: RunContext) -> list[Written]:
    """One text for each of the first ``task.n`` documents: its sentence that shares most words with the question,
    then the question's words that the document does not hold. ``surface_ids`` names where the sentence stands.

    A document that holds all of the question's words leaves nothing to look for; where all do, and where the question
    is a simple one, it is the query.

    :raises WriterError: when nothing is found.
    """
    context.check()
    if not may_have_second_hop(task.query, language):
        return [Written(task.query, note=SIMPLE)]
    stop = stopwords(language) | stopwords("en")
    asked = {stem(word, language): word for word in words_of(task.query) if word not in stop}
    made = []
    for hit in feedback(task, context)[: max(1, task.n)]:
        held = {stem(word, language) for word in tokenise(hit.text)}
        left = [word for root, word in asked.items() if root not in held]
        sentence = _nearest(hit, set(asked), language)
        if left and sentence:
            note = f"from “{hit.title}”, still asked: {', '.join(left)}"
            made.append(Written(f"{sentence} {' '.join(left)}", surface_ids=(hit.surface_id,), note=note))
    return made or [Written(task.query, note=WHOLE)]


def _nearest(hit: Hit, asked: set[str], language: str) -> str:
    """The sentence that shares most words with the question, the earlier one of equals; the title's line is none
    where there is another, and a list's number is none at all.

    Words of the title do not count: they tell the document, not what in it is meant (HotpotQA, 53 questions of the
    tune half: all-gold recall@10 .868 against .830).
    """
    found = [text for start, end in sentences(hit.text) if _WORD.search(text := hit.text[start:end])]
    body = [text for text in found if text.rstrip(".") != hit.title.strip().rstrip(".")] or found
    telling = asked - {stem(word, language) for word in tokenise(hit.title)}
    shared = [len(telling & {stem(word, language) for word in tokenise(text)}) for text in body]
    return body[shared.index(max(shared))][:MAX_CHARS].rstrip() if body else ""
