"""How common a word is in English at large, against which a word of one trade stands out."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache


@lru_cache(maxsize=1)
def counts() -> dict[str, float]:
    """Log10 of the count of each of the 82,765 words SymSpell ships (Google Books crossed with SCOWL); read once."""
    from importlib.resources import files

    text = files("symspellpy").joinpath("frequency_dictionary_en_82_765.txt").read_text(encoding="utf-8-sig")
    lines = (line.split(" ") for line in text.splitlines())
    return {word: math.log10(float(count)) for word, count in lines}


def rarest(words: Iterable[str]) -> float | None:
    """Of the words in Latin letters that of the least common; 0 for one that is no English, None where there is none."""
    found = [counts().get(word, 0.0) for word in words if word.isascii() and word.isalpha()]
    return min(found, default=None)
