"""Short forms that a corpus defines as "long form (LF)" (Schwartz and Hearst, PSB 2003)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

import regex

from ir_core.text import normalise, stopwords, tokenise
from ir_core.writers.corpus.spelling import english_words
from ir_core.writers.corpus.statistics import CorpusStatistics

_BRACKETED = regex.compile(r"(?<=\s)\(([\p{L}\d][\p{L}\d&/.\-]{1,9})\)")
_CLAUSE_ENDS = regex.compile(r"[()\n;:?!]|\.\s")
MAX_LONG = 120
"""Characters before the bracket that are looked at."""
_NOT_FIRST = {"and", "or", "of", "the", "a", "an"}
_WORD = regex.compile(r"[\p{L}\d][\p{L}\d&\-]*")


def acronyms(index: CorpusStatistics) -> Mapping[str, tuple[str, str, int]]:
    """Casefolded short form to (short form, its commonest long form, number of other long forms)."""
    longs: dict[str, Counter[str]] = defaultdict(Counter)
    shown: dict[tuple[str, str], tuple[str, str]] = {}
    for surface in index.surfaces:
        for short, long in dict.fromkeys(definitions(surface.text)):
            key, meaning = short.casefold(), normalise(long)
            longs[key][meaning] += 1
            shown[key, meaning] = min(shown.get((key, meaning), (short, long)), (short, long), key=_capitals)
    found = {}
    for key, counts in longs.items():
        meaning = min(counts, key=lambda item: (-counts[item], item))
        short, long = shown[key, meaning]
        found[key] = (short, long, len(counts) - 1)
    return found


def _capitals(pair: tuple[str, str]) -> int:
    """A heading's capitals are not the word's."""
    return sum(char.isupper() for char in pair[1])


def definitions(text: str) -> Iterator[tuple[str, str]]:
    """(short form, long form) pairs of a text. The short form has two capitals, or one and a digit."""
    for match in _BRACKETED.finditer(text):
        short = match.group(1)
        if short.endswith("s") and short[:-1].isupper():
            short = short[:-1]
        if sum(char.isupper() for char in short) + any(char.isdigit() for char in short) < 2:
            continue
        before = text[max(0, match.start() - MAX_LONG) : match.start()]
        words = _CLAUSE_ENDS.split(before)[-1].split()
        window = " ".join(words[-min(len(short) + 5, 2 * len(short)) :])
        long = _best_long_form(short, window)
        if long and len(long) > len(short) and short not in long.split() and long.split()[0] not in _NOT_FIRST:
            yield short, long


def _best_long_form(short: str, window: str) -> str | None:
    """Match the short form's characters right to left; its first one must start a word."""
    at = len(window) - 1
    for number in range(len(short) - 1, -1, -1):
        char = short[number].casefold()
        if not char.isalnum():
            continue
        while at >= 0 and (window[at].casefold() != char or (number == 0 and at > 0 and window[at - 1].isalnum())):
            at -= 1
        if at < 0:
            return None
        at -= 1
    return window[at + 1 :].strip(" ,\"'“”")


def expansions(query: str, known: Mapping[str, tuple[str, str, int]], language: str) -> list[tuple[str, str, int]]:
    """The short forms in a query whose long form it lacks.

    Typed in small letters, one counts only when it is neither a stop word nor an English word ("it", "aids"); in
    other letters ("Src" for SRC) it is another name.
    """
    held = normalise(query)
    found = []
    for match in _WORD.finditer(query):
        word = match.group()
        if word.endswith("s") and word[:-1].casefold() in known:
            word = word[:-1]
        entry = known.get(word.casefold())
        if entry is None or entry in found or normalise(entry[1]) in held:
            continue
        lazy = word.islower() and word not in stopwords(language) and word not in english_words()
        if word == entry[0] or lazy:
            found.append(entry)
    return [entry for entry in found if len(tokenise(entry[1])) > 1]
