"""What the rules see of a query: its words, those the corpus does not have, its codes and names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import regex

from ir_core.index import Index
from ir_core.schema import Turn
from ir_core.text import normalise, stem, stopwords, tokenise

ENDINGS = ("", "s", "es", "e", "ed", "d", "ing", "er", "or", "ion", "al", "y", "ies", "ment")
"""Put on a stem to look for the other forms of a word: stemming a whole vocabulary would take seconds."""
RARE = 3
"""Surfaces; a word that stands in so few names something particular."""
_CODE = regex.compile(r"(?<![\w-])(?:\p{Lu}{1,6}-\d+\w*|\p{Lu}\d+(?:\.\d+)*|\d+\.\d+|[a-z]\w*(?:[._]\w+)+)(?![\w-])")
"""ERR-4207, E5.4, 16.7, security.session_lifetime."""
_ACRONYM = regex.compile(r"\b\p{Lu}{3,6}\b")
_NAME = regex.compile(r"(?<=[^.!?:\s]\s)\p{Lu}\p{Ll}+\w*|\b\p{Lu}\p{Ll}+\p{Lu}\w*")
"""A capitalised word that begins no sentence, or one with a capital inside."""
_CALLED = regex.compile(r"\b(?:form|chapter|section|article|annex|clause|rule)\s+$", regex.I)


@dataclass(frozen=True, slots=True)
class Reading:
    """``content`` are the words that are no stop words; ``unknown`` those of which the corpus has no form;
    ``acronyms`` the rare ones; ``called`` is True where every code follows the kind of document it names ("Form
    RP-5")."""

    text: str
    plain: str
    words: tuple[str, ...]
    content: tuple[str, ...]
    unknown: tuple[str, ...]
    codes: tuple[str, ...]
    acronyms: tuple[str, ...]
    called: bool
    names: tuple[str, ...]
    has_history: bool

    @property
    def unknown_share(self) -> float:
        return len(self.unknown) / max(1, len(self.content))


def read(query: str, history: Sequence[Turn], index: Index) -> Reading:
    """:param index: its words tell which of the query's are rare or missing."""
    language = index.manifest.language or "en"
    stop = stopwords("en") | stopwords(language)
    content = tuple(word for word in dict.fromkeys(tokenise(query)) if word not in stop)
    codes = list(_CODE.finditer(query))
    acronyms = [one for one in _ACRONYM.findall(query) if 0 < index.document_frequency(normalise(one)) <= RARE]
    plain = " ".join(normalise(query).replace("’", "'").split())
    return Reading(
        text=query,
        plain=plain,
        words=tuple(regex.findall(r"[\p{L}\p{N}][\p{L}\p{M}\p{N}'’._-]*", query)),
        content=content,
        unknown=tuple(word for word in content if not _known(word, index, language)),
        codes=tuple(dict.fromkeys(match.group() for match in codes)),
        acronyms=tuple(dict.fromkeys(acronyms)),
        called=bool(codes) and all(_CALLED.search(query[: match.start()]) for match in codes),
        names=tuple(
            name for name in dict.fromkeys(_NAME.findall(query)) if index.document_frequency(normalise(name))
        ),
        has_history=any(turn.get("content", "").strip() for turn in history),
    )


def _known(word: str, index: Index, language: str) -> bool:
    if index.document_frequency(word) or word.isdecimal():
        return True
    base = stem(word, language)
    forms = (
        {base + ending for ending in ENDINGS} if language != "ar" else {f"ال{word}", word.removeprefix("ال"), base}
    )
    return any(index.document_frequency(form) for form in forms)
