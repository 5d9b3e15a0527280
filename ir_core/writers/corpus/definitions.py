""""What is X" for a name whose definition one document holds, beside the question that uses it.

Entity linking by exact title, longest first, as in Wikify! (Mihalcea and Csomai, CIKM 2007).
"""

from __future__ import annotations

from collections.abc import Mapping

import regex

from ir_core.text import content_words, normalise
from ir_core.writers.corpus.acronyms import acronyms
from ir_core.writers.corpus.names import title_key
from ir_core.writers.corpus.statistics import CorpusStatistics, Derived

MAX_NAMES = 2
MAX_TITLE_WORDS = 8
MIN_REST = 3
"""Content words a question must have beside the names: "When was X born?" has one, and X's own document answers it."""

_QUESTION = regex.compile(
    r"[?]\s*$|^(?:what|how|when|where|which|who|whose|why|is|are|was|were|do|does|did|can|could|should|must|may|will"
    r"|(?:in|on|at|by|for|from|under) (?:what|which|whose))\b",
    regex.I,
)
_PERSON = regex.compile(r"\([^)]*\bborn\b|\b(?:he|she|his|her)\b", regex.I)
_WORD = regex.compile(r"[\w][\w.\-'’]*")
_QUOTED = regex.compile(r"[\"“][^\"“”]+[\"”]")


def titles(index: CorpusStatistics) -> Mapping[str, bool]:
    """Title key to whether the document so titled begins like the life of a person; keys of two letters or more."""
    opening: dict[int, str] = {}
    for surface, artifact in zip(index.surfaces, index.artifact_of, strict=True):
        opening.setdefault(int(artifact), surface.text[:300])
    return {
        key: bool(_PERSON.search(opening.get(number, "")))
        for number, title in enumerate(index.titles)
        if len(key := title_key(title)) > 1
    }


def definitions_and_rest(query: str, known: Derived) -> list[str]:
    """["What is X?", …, the question], or an empty list when the query is a claim, simple, or names nothing defined."""
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
    quoted = any(match.start() < words[0].start() and words[-1].end() < match.end() for match in _QUOTED.finditer(text))
    capitals = sum(word.group()[0].isupper() or word.group()[0].isdigit() for word in words)
    opening = words[0].start() == 0 and len(words) == 1
    return quoted or (capitals * 2 > len(words) and words[-1].group()[0].isupper() and not opening)
