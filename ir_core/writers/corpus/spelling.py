"""Spelling correction against the words a corpus holds, by symmetric deletes (Garbe, SymSpell, 2012)."""

from __future__ import annotations

from collections.abc import Mapping, Set
from functools import lru_cache
from typing import TYPE_CHECKING

import regex

from ir_core.text import normalise, stem, stopwords
from ir_core.writers.corpus.statistics import CorpusStatistics

if TYPE_CHECKING:
    from symspellpy import SymSpell

MIN_LETTERS = 5
"""Four-letter words have so many neighbours that jargon ("args", "slas") turned into words ("arts", "seas")."""
FREE_FIRST_LETTER = 6
"""From this length on the first letter may be the wrong one."""
LONG = 9
"""From this length on two letters may be wrong, towards a word the corpus holds at least ``LONG_COUNT`` times."""
LONG_COUNT = 3
MAX_WORDS = 100_000
"""The commonest words are enough to correct towards; building the deletes takes 2 s per 100,000."""

_WORD = regex.compile(r"[\p{L}\p{M}]+")
_PLAIN = regex.compile(r"\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{Lu}+")
_CHUNK = regex.compile(r"[\w](?:[\w.\-@/'’]*\w)?")
_BIGRAMS = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}]")
_ENDINGS = (("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"))


@lru_cache(maxsize=1)
def english_counts() -> Mapping[str, int]:
    """The 82,765 words of the dictionary SymSpell ships (Google Books counts crossed with SCOWL), each counted."""
    from importlib.resources import files

    text = files("symspellpy").joinpath("frequency_dictionary_en_82_765.txt").read_text(encoding="utf-8-sig")
    lines = (line.split(" ") for line in text.splitlines())
    return {word: int(count) for word, count in lines}


def english_words() -> Set[str]:
    return english_counts().keys()


def candidates(index: CorpusStatistics) -> SymSpell:
    """The corpus' words of ``MIN_LETTERS`` − 1 letters or more, with how often each occurs."""
    from symspellpy import SymSpell

    counts = {
        word: index.collection_frequency(word)
        for word in index.vocabulary
        if len(word) >= MIN_LETTERS - 1 and word.isalpha() and not _BIGRAMS.search(word)
    }
    common = sorted(counts, key=lambda word: (-counts[word], word))[:MAX_WORDS]
    speller = SymSpell(max_dictionary_edit_distance=2, prefix_length=7)
    for word in common:
        speller.create_dictionary_entry(word, counts[word])
    return speller


def unknown_words(query: str, index: CorpusStatistics, language: str) -> list[tuple[int, int]]:
    """Start and end of each word that may be a typo.

    Never one that the corpus holds, nor an inflection of one, nor a stop word, nor (in English) a word of the
    dictionary. Numbers, identifiers, abbreviations, names inside a sentence and short words are left alone.
    """
    has_lower_word = any(match.group().islower() for match in _WORD.finditer(query))
    found = []
    for chunk in _CHUNK.finditer(query):
        text = chunk.group()
        if regex.search(r"[\d_.@/]", text) or _BIGRAMS.search(text):
            continue
        for match in _WORD.finditer(text):
            word = match.group()
            start = chunk.start() + match.start()
            is_name = has_lower_word and (word.isupper() or (start > 0 and word[0].isupper()))
            if len(word) < MIN_LETTERS or is_name or not _PLAIN.fullmatch(word):
                continue
            if not _is_known(normalise(word), index, language):
                found.append((start, start + len(word)))
    return found


def _is_known(word: str, index: CorpusStatistics, language: str) -> bool:
    if index.document_frequency(word) or word in stopwords(language):
        return True
    if language != "en":
        return False
    bases = (word[: -len(end)] + rest for end, rest in _ENDINGS if word.endswith(end))
    return word in english_words() or any(len(base) >= 3 and index.document_frequency(base) for base in bases)


def correction(word: str, speller: SymSpell, language: str) -> str | None:
    """The corpus word that was probably meant, in the case of ``word``; None when none is near enough.

    Fewest edits first, then the same first letter, then the commonest. Without a dictionary of the language a
    candidate that differs only at the word's ends is taken for an inflection of it, not for its correction.
    """
    from symspellpy import Verbosity

    plain = normalise(word)
    best: tuple[int, bool, int, str] | None = None
    for item in speller.lookup(plain, Verbosity.ALL, 2 if len(plain) >= LONG else 1):
        other_first = item.term[0] != plain[0]
        if item.distance > 1 and (other_first or item.count < LONG_COUNT):
            continue
        if item.distance > 1 and stem(item.term, language) == stem(plain, language):  # "dilating" is no "dilation"
            continue
        if other_first and len(plain) < FREE_FIRST_LETTER:
            continue
        if language != "en" and (item.term in plain or plain in item.term):
            continue
        key = (item.distance, other_first, -item.count, item.term)
        if best is None or key < best:
            best = key
    return _in_case_of(word, best[3]) if best else None


def _in_case_of(word: str, plain: str) -> str:
    if word.isupper():
        return plain.upper()
    return plain[0].upper() + plain[1:] if word[0].isupper() else plain
