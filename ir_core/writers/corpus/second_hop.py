"""Whether a question may need a second document, by its length, names and clauses, with no model.

The signs are those of the rules that route: a question with few telling words and no name is answered where it is
found. The bounds were set on the tune halves of HotpotQA's and MuSiQue's hundred training questions (52 of 53 and 47
of 47 may have a second hop, and all that bridge queries gain there is kept) and of the sample corpora's queries (20
of the 24 that need several documents, 11 of 90 others).
"""

from __future__ import annotations

import regex

from ir_core.text import stopwords
from ir_core.writers.corpus.feedback import words_of

MANY = 5
"""Telling words of a question that may have parts."""
FEW = 3
"""The same where one of them is a name, which has a document of its own, or a clause describes what is not named."""

_WH = r"(?:what|when|which|who|whose|whom|where|why|how)"
_AUX = r"(?:can|could|may|must|do|does|did|is|are|was|were|has|have|had|will|would|should)"
_ARABIC = r"(?:ما|ماذا|من|متي|متى|هل|كم|كيف|اين|أين|لماذا|اي|أي)"
_ASKS = {
    "en": regex.compile(rf"[?؟]|\b{_WH}\b|^\W*{_AUX}\b", regex.I),
    "ar": regex.compile(rf"[?؟]|(?:^|\s){_ARABIC}(?=\s)"),
}
"""Of other languages no question words are known, and any text may ask."""
_NAME = regex.compile(r"(?<=[^.!?:\s]\s[\"“«(]?)\p{Lu}[\p{L}\d]*\p{Ll}|[\"“«]\p{Lu}|\b\p{Lu}\p{Ll}+\p{Lu}")
"""A capitalised word that begins no sentence, a quoted title, or a capital inside; initials and acronyms are none."""
_CLAUSE = regex.compile(
    r"\b(?:the|an?|any|every|each|same)\s+(?:[\w\-'’]+\s+){1,3}?(?:that|which|who|whose|whom|where)\s+\w", regex.I
)
"""The plan that has it, a person who left: in English."""
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]")


def may_have_second_hop(query: str, language: str) -> bool:
    """False for a question that one document can answer: it then stays whole.

    :param language: ISO 639-1; German capitalises every noun, so there a capital is no name.
    """
    asks = _ASKS.get(language)
    if asks and not asks.search(query):
        return False
    telling = _telling(query, language)
    if telling < FEW:
        return False
    names = language != "de" and _NAME.search(query)
    return telling >= MANY or bool(names or (language == "en" and _CLAUSE.search(query)))


def _telling(query: str, language: str) -> int:
    """Different words that are no stop words; where words do not stand apart, two letters count as one."""
    stop = stopwords(language) | stopwords("en")
    words = {word for word in words_of(query) if word not in stop}
    return sum(max(1, len(_UNSPACED.findall(word)) // 2) for word in words)
