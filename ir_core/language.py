"""Which language a text is in: by py3langid, which is small, offline and kept."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import regex

_ARABIC = regex.compile(r"\p{Arabic}")
_LETTER = regex.compile(r"\p{L}")


def detect(text: str) -> str | None:
    """ISO 639-1 code, or None where there is too little to tell (fewer than three letters).

    Short Latin queries are a coin toss for any detector, so under 20 letters of plain ASCII count as English.
    """
    letters = _LETTER.findall(text[:4_000])
    if len(letters) < 3:
        return None
    if len(letters) < 20 and all(letter.isascii() for letter in letters):
        return "en"
    arabic = len(_ARABIC.findall(text[:4_000]))
    if arabic > len(letters) / 2 and not regex.search(r"[پچژگکی]", text[:4_000]):
        return "ar"
    return _classify(text[:4_000])


@lru_cache(maxsize=4_096)
def _classify(text: str) -> str:
    import py3langid

    return str(py3langid.classify(text)[0])


def main_language(texts: Iterable[str], sample: int = 60) -> str | None:
    """The commonest language of the first ``sample`` texts, or None where none could be told."""
    counts: dict[str, int] = {}
    for _, text in zip(range(sample), texts, strict=False):
        found = detect(text)
        if found:
            counts[found] = counts.get(found, 0) + 1
    return max(sorted(counts), key=lambda code: counts[code]) if counts else None
