"""Which of a query's words a text holds, as the index's tokeniser reads both, and where they stand in it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Protocol

import regex

from ir_core.analysis.find.types import Word
from ir_core.index import Index
from ir_core.text import sentences, stopwords

EXCERPT_CHARS = 480
RARE = 0.1
"""A stop word that no more of the surfaces hold than this tells documents apart as other words do ("show")."""
_PIECE = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}ー]|[^\W\p{Han}\p{Hiragana}\p{Katakana}ー][\w.\-]*|\W+")
_CJK = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}ー]")


class _Tokeniser(Protocol):
    def tokenise(self, text: str) -> list[str]: ...


def split(index: Index, bag: Mapping[str, float], held: Collection[str]) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """The bag's words that are among ``held``, and those that are not, each rarest first."""
    stop = stopwords("en") | stopwords(index.manifest.language or "en")
    counts = {token: index.document_frequency(token) for token, weight in bag.items() if weight}
    words = [Word(token, n, token in stop and not 0 < n <= RARE * index.n) for token, n in counts.items()]
    words.sort(key=lambda word: (word.common, word.surfaces, word.token))
    return tuple(w for w in words if w.token in held), tuple(w for w in words if w.token not in held)


def marked(text: str, shared: Collection[str], tokeniser: _Tokeniser) -> list[tuple[str, bool]]:
    """The text in pieces, in order; True for those that hold a shared word. The pieces add up to the text."""
    pieces = [found.group() for found in _PIECE.finditer(text)]
    flags = [not (_CJK.match(piece) or set(shared).isdisjoint(tokeniser.tokenise(piece))) for piece in pieces]
    for number in range(len(pieces) - 1):
        if _CJK.match(pieces[number]) and pieces[number] + pieces[number + 1] in shared:
            flags[number] = flags[number + 1] = True
    joined: list[tuple[str, bool]] = []
    for piece, flag in zip(pieces, flags, strict=True):
        if joined and joined[-1][1] == flag:
            joined[-1] = (joined[-1][0] + piece, flag)
        else:
            joined.append((piece, flag))
    return joined


def best_sentence(text: str, shared: Iterable[Word], tokeniser: _Tokeniser) -> tuple[int, int] | None:
    """(start, end) of the sentence with the most of these words, rare ones counting more; None where none has any."""
    weight = {word.token: 1 / (1 + word.surfaces) for word in shared if not word.common}
    best, most = None, 0.0
    for start, end in sentences(text):
        value = sum(weight.get(token, 0.0) for token in set(tokeniser.tokenise(text[start:end])))
        if value > most:
            best, most = (start, end), value
    return best


def excerpt(text: str, around: tuple[int, int] | None, limit: int = EXCERPT_CHARS) -> tuple[int, int]:
    """(start, end) of at most ``limit`` characters with this sentence in them, cut between words."""
    if len(text) <= limit:
        return 0, len(text)
    middle = around[0] if around else 0
    start = max(0, min(middle - limit // 4, len(text) - limit))
    end = min(len(text), start + limit)
    if start:
        start = next((at for at in range(start, min(start + 40, end)) if text[at].isspace()), start)
    if end < len(text):
        end = next((at for at in range(end, max(end - 40, start), -1) if text[at].isspace()), end)
    return start, end
