"""Whether a reply says anything to search for: a number, a lone reference mark, a word for nothing or stop words
alone would throw the user's query away in silence.
"""

from __future__ import annotations

from functools import lru_cache

import regex

from ir_core.text import normalise, stopwords

_WORD = regex.compile(r"\w(?:[\w.\-'’]*\w)?")
_LETTER = regex.compile(r"\p{L}")
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_FUNCTION = """
    a about after again all also although am an and any are as at be because been before being between both but
    by can could did do does doing for from had has have having he her here hers him his how i if in into is it
    its just may me might mine more most must my no nor not of off on once only or other our ours out over own
    same shall she should so some such than that the their theirs them then there these they this those through
    to too under until up upon very was we were what when where which while who whom whose why will with would
    you your yours
"""
"""English words that only join others. The list that retrieval leaves out holds "copy", "order" and "system" too."""
_NOTHING = frozenset(
    normalise(said)
    for said in (
        "unknown", "none", "null", "nil", "n/a", "na", "n.a", "nan", "undefined", "unspecified", "unclear", "unsure",
        "nothing", "no answer", "no query", "no question", "no result", "no results", "no output", "no response",
        "not applicable", "not available", "not known", "not specified", "not provided", "not found", "not sure",
        "i don't know", "i dont know", "i do not know", "idk", "tbd", "yes", "no", "ok", "okay", "true", "false",
        "غير معروف", "غير معروفة", "غير معلوم", "غير محدد", "غير متوفر", "غير متاح", "غير موجود", "غير واضح",
        "مجهول", "لا شيء", "لا شئ", "لا يوجد", "لا توجد", "لا أعرف", "لا أعلم", "لا أدري", "لا ينطبق", "لا إجابة",
        "لا جواب", "لا نتائج", "نعم", "لا", "حسنا",
    )
)  # fmt: skip


def says_something(text: str, asked: str | None, language: str | None) -> bool:
    """True where a word of it can be looked for.

    :param asked: the query. Where it is itself nothing but a number, say, so may the reply be; and a number of two
        digits or more that stands in it (an error's) may be all that is left of it.
    :param language: ISO 639-1, whose stop words tell nothing either; None is English alone.
    """
    if _tells(text, language):
        return True
    own, given = _words(text), _words(asked or "")
    if not own or not own <= given:
        return False
    return not _tells(asked or "", language) or any(sum(map(str.isdigit, word)) > 1 for word in own)


def _tells(text: str, language: str | None) -> bool:
    plain = " ".join(normalise(text).split()).strip(" .,:;!?؟،()[]{}<>\"'“”«»-–—*_`")
    if plain in _NOTHING:
        return False
    if _UNSPACED.search(plain):
        return True
    stop = _stop(language or "en")
    return any(len(word) > 1 and _LETTER.search(word) and word not in stop for word in _words(plain))


@lru_cache(maxsize=8)
def _stop(language: str) -> frozenset[str]:
    return frozenset(_FUNCTION.split()) | (stopwords(language) if language != "en" else frozenset())


def _words(text: str) -> set[str]:
    return set(_WORD.findall(normalise(text)))
