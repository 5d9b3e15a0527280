"""What the rules see of a query: its words, exact names and capitalised names, and its standing in the corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import regex

from ir_core.index import Index
from ir_core.router.deciders._corpus import Standing, forms, standing
from ir_core.schema import Turn
from ir_core.text import normalise, stopwords, tokenise
from ir_core.writers.corpus.spelling import english_words

MOST_WORDS = 40
"""Words of a query that are looked up; a longer one is no shorter question."""
_CODE = regex.compile(
    r"(?<![\w.-])(?:\p{Lu}+-\d+\w*|\p{Lu}+\d+(?:\.\d+)*|\p{L}+\d+\w*|\d+\.\d{1,2}|\d+\p{Ll}+\d\w*"
    r"|\p{L}\w*(?:[._]\p{L}\w*)+|\p{Lu}+(?:_\p{Lu}+)+)(?![\w-])"
)
"""ERR-4207, E5.4, BM25, k1, 16.7, 7c1e, security.session_lifetime, HOLD_MINUTES, CHANGELOG.md."""
_UNIT = regex.compile(r"\d+(?:st|nd|rd|th|s|am|pm|h|km|kg|gb|mb)$", regex.I)
"""3rd, 90s, 10km: a letter behind a digit that makes no exact name."""
_NUMBER = regex.compile(r"(?<![\w.,-])\d{3,}(?![\w,-]|\.\d)")
_ACRONYM = regex.compile(r"(?<![\w-])\p{Lu}{2,8}(?![\w-])")
_NAME = regex.compile(r"(?<=[^.!?:\s]\s)\p{Lu}\p{Ll}+\w*|\b\p{Lu}\p{Ll}+\p{Lu}\w*")
"""A capitalised word that begins no sentence, or one with a capital inside."""
_CALLED = regex.compile(r"\b(?:form|chapter|section|article|annex|clause|rule)\s+$", regex.I)
_LOWER = regex.compile(r"[a-z]{3,}")
_ARABIC = regex.compile(r"\p{Arabic}")


@dataclass(frozen=True, slots=True)
class Reading:
    """``content`` are the words that are no stop words; ``codes`` exact names by their look; ``numbers`` of three
    digits or more; ``acronyms`` in capitals; ``jargon`` small-letter words that no dictionary of English has;
    ``called`` is True where every code follows the kind of document it names ("Form RP-5")."""

    text: str
    plain: str
    words: tuple[str, ...]
    content: tuple[str, ...]
    codes: tuple[str, ...]
    numbers: tuple[str, ...]
    acronyms: tuple[str, ...]
    jargon: tuple[str, ...]
    called: bool
    names: tuple[str, ...]
    has_history: bool
    corpus: Standing

    @property
    def length(self) -> float:
        """Words; Arabic writes two or three of English's as one."""
        return len(self.words) * (1.5 if _ARABIC.search(self.text) else 1.0)

    @property
    def unknown(self) -> tuple[str, ...]:
        return self.corpus.unknown

    @property
    def unknown_share(self) -> float:
        return len(self.unknown) / max(1, len(self.content))


def read(query: str, history: Sequence[Turn], index: Index) -> Reading:
    """:param index: its words tell which of the query's are rare or missing."""
    language = index.manifest.language or "en"
    stop = stopwords("en") | stopwords(language) | (stopwords("ar") if _ARABIC.search(query) else frozenset())
    content = tuple(word for word in dict.fromkeys(tokenise(query)) if word not in stop)[:MOST_WORDS]
    codes = [match for match in _CODE.finditer(query) if not _UNIT.fullmatch(match.group())]
    stood = standing(content, index, language)
    return Reading(
        text=query,
        plain=" ".join(normalise(query).replace("’", "'").split()),
        words=tuple(regex.findall(r"[\p{L}\p{N}][\p{L}\p{M}\p{N}'’._-]*", query)),
        content=content,
        codes=tuple(dict.fromkeys(match.group() for match in codes)),
        numbers=tuple(dict.fromkeys(_NUMBER.findall(query))),
        acronyms=tuple(dict.fromkeys(_ACRONYM.findall(query))),
        jargon=_jargon(content, query) if language == "en" else (),
        called=bool(codes) and all(_CALLED.search(query[: match.start()]) for match in codes),
        names=tuple(
            name for name in dict.fromkeys(_NAME.findall(query)) if index.document_frequency(normalise(name))
        ),
        has_history=any(turn.get("content", "").strip() for turn in history),
        corpus=stood,
    )


def _jargon(content: Sequence[str], query: str) -> tuple[str, ...]:
    """None where they are more than half of the words: the query is in another language then."""
    found = [w for w in content if _LOWER.fullmatch(w) and w in query and forms(w).isdisjoint(english_words())]
    return tuple(found) if 2 * len(found) <= len(content) else ()
