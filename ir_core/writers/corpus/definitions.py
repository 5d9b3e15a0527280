"""A name whose definition one document holds is asked about ("what is X") beside the question that uses it.

Entity linking by exact title, longest first, as in Wikify! (Mihalcea and Csomai, CIKM 2007).
"""

from __future__ import annotations

from collections.abc import Mapping

import regex

from ir_core.text import content_words
from ir_core.writers.corpus.acronyms import acronyms
from ir_core.writers.corpus.names import QUOTED, title_key
from ir_core.writers.corpus.statistics import CorpusStatistics, Derived
from ir_core.writers.corpus.structures import AUX

MAX_NAMES = 2
MAX_TITLE_WORDS = 8
MIN_REST = 3
"""Content words a question must have beside the names: of "When was X born?" X's own document holds the answer."""

_QUESTION = regex.compile(
    rf"[?]\s*$|^(?:(?:(?:in|on|at|by|for|from|under) )?(?:what|how|when|where|which|who|whose|why)|{AUX})\b",
    regex.I,
)
_PERSON = regex.compile(r"\([^)]*\bborn\b|\b(?:he|she|his|her)\b", regex.I)
_WORD = regex.compile(r"[\w][\w.\-'’]*")


def titles(index: CorpusStatistics) -> Mapping[str, bool]:
    """Title key to whether the document so titled begins like the life of a person; keys of two letters or more."""
    first_row: dict[int, int] = {}
    for row, artifact in enumerate(index.artifact_of):
        first_row.setdefault(int(artifact), row)
    return {
        key: number in first_row and bool(_PERSON.search(index.surfaces[first_row[number]].text[:300]))
        for number, title in enumerate(index.titles)
        if len(key := title_key(title)) > 1
    }


def definitions_and_rest(query: str, known: Derived) -> list[str]:
    """["What is X?", …, the question]; an empty list for a claim, a simple question, or one that names nothing."""
    text = query.strip()
    if not _QUESTION.search(text):
        return []
    names = _defined_names(text, known)[:MAX_NAMES]
    rest = text
    for name in names:
        rest = rest.replace(name, " ")
    if not names or len(content_words(rest)) < MIN_REST:
        return []
    people = known.get(titles)
    asked = [f"{'Who' if people.get(title_key(name)) else 'What'} is {name}?" for name in names]
    return [*asked, text if text.endswith("?") else text + "?"]


def _defined_names(text: str, known: Derived) -> list[str]:
    """Names in the order of the question: titles that are capitalised or quoted here, acronyms the corpus defines."""
    by_key = known.get(titles)
    short_forms = known.get(acronyms)
    words = list(_WORD.finditer(text))
    found: list[str] = []
    at = 0
    while at < len(words):
        longest = min(MAX_TITLE_WORDS, len(words) - at)
        size = next((n for n in range(longest, 0, -1) if _is_title(text, words[at : at + n], by_key)), 0)
        span = text[words[at].start() : words[at + max(size, 1) - 1].end()]
        if size or (span.isupper() and span.casefold() in short_forms):
            name = regex.sub(r"['’]s$", "", span)
            if name not in found:
                found.append(name)
        at += max(size, 1)
    return found


def _is_title(text: str, words: list[regex.Match[str]], by_key: Mapping[str, bool]) -> bool:
    span = text[words[0].start() : words[-1].end()]
    key = title_key(regex.sub(r"['’]s$", "", span))
    if key not in by_key:
        return False
    if regex.match(r" \p{Lu}", text[words[-1].end() :]):
        return False
    start, end = words[0].start(), words[-1].end()
    quoted = any(match.start() < start and end < match.end() for match in QUOTED.finditer(text))
    capitals = sum(word.group()[0].isupper() or word.group()[0].isdigit() for word in words)
    opening = start == 0 and len(words) == 1
    return quoted or (capitals * 2 > len(words) and words[-1].group()[0].isupper() and not opening)
