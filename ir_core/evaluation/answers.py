"""Answer in context: does a gold answer stand in what the first k hits would put before a reader?

The text is that of each hit's own surface (what was matched, as it would go into a prompt), not its whole document.
Texts are normalised as SQuAD does (Rajpurkar et al., EMNLP 2016): case, punctuation, articles and white space do not
count. As in MLQA (Lewis et al., ACL 2020), punctuation of every script is punctuation, and where a script puts no
space between words, each character is one; unlike there, articles are English, since nobody says the language. A
"yes", "no", or answer of fewer than three letters would be found by chance, so such a query is excluded and counted.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

import regex

from ir_core.library import JudgedQuery

YES_NO = frozenset({"yes", "no", "true", "false", "نعم", "لا"})
MIN_LETTERS = 3
NOT_FOUND = 0
Forms = tuple[str, str]
_ARTICLES = regex.compile(r"\b(a|an|the)\b")
_PUNCTUATION = regex.compile(r"[\p{P}$+<=>^`|~]")
_NO_DECIMAL = regex.compile(rf"(?!(?<=\d)[.,](?!\d{{3}}(?!\d))\d){_PUNCTUATION.pattern}")
"""A comma or point before three digits parts thousands, and goes."""
_BREAKS = regex.compile(r"[\p{P}\p{S}]")
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}ー\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_WORD = regex.compile(rf"[{_UNSPACED}]\p{{M}}*|[^\s{_UNSPACED}]+")


def normalised(text: str) -> str:
    """SQuAD's, after Unicode's NFKC: "O'Neil" is "oneil", and "U.S.A." is "usa". One space between words."""
    return _words(_PUNCTUATION.sub("", _folded(text)))


@lru_cache(maxsize=512)
def forms(text: str) -> Forms:
    """To look in a passage with. The first as SQuAD has it, but that "1.2" is not "12"; the second with a space for
    each mark and symbol, since in "Paris—the capital" or "word/word" taking them out glues two words that a reader
    sees. Kept, because a query's transforms find the same passages."""
    folded = _folded(text)
    return _words(_NO_DECIMAL.sub("", folded)), _words(_BREAKS.sub(" ", folded))


def stands_in(answer: Forms, text: Forms) -> bool:
    """As whole words, in either form; in the second only while enough of it is left: "U.S.A." would be "u s"."""
    return any(
        f" {one} " in f" {other} "
        for one, other in zip(answer, text, strict=True)
        if one == answer[0] or _letters(one) >= MIN_LETTERS
    )


def usable(answers: Iterable[str]) -> tuple[Forms, ...]:
    """The answers that can be looked for."""
    each = dict.fromkeys(map(forms, answers))
    return tuple(one for one in each if one[0] not in YES_NO and _letters(one[0]) >= MIN_LETTERS)


def answer_rank(query: JudgedQuery, passages: Sequence[str]) -> int | None:
    """The rank (from 1) of the first passage that holds an answer as whole words; 0 when none does, None when the
    query has no answer that can be looked for.

    :param passages: the surfaces' texts, best hit first.
    """
    wanted = usable(query.answers)
    if not wanted:
        return None
    for rank, passage in enumerate(map(forms, passages), start=1):
        if any(stands_in(answer, passage) for answer in wanted):
            return rank
    return NOT_FOUND


def score_of(rank: int | None, cutoff: int) -> float | None:
    """1 where an answer stands in the first ``cutoff`` hits, else 0; None where it cannot be measured."""
    return None if rank is None else float(0 < rank <= cutoff)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _words(text: str) -> str:
    plain = _ARTICLES.sub(" ", text)
    return " ".join(plain.split() if text.isascii() else _WORD.findall(plain))


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))
