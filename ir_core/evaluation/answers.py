"""Answer in context: does a gold answer stand in what the first k hits would put before a reader?

The text is that of each hit's own surface (what was matched, as it would go into a prompt), not its whole document.
Texts are normalised as SQuAD does (Rajpurkar et al., EMNLP 2016): case, punctuation, articles and white space do not
count. A "yes", "no", or answer of fewer than three letters would be found by chance, so such a query is excluded and
counted.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from ir_core.library import JudgedQuery

YES_NO = frozenset({"yes", "no", "true", "false"})
MIN_LETTERS = 3
NOT_FOUND = 0
_ARTICLES = re.compile(r"\b(a|an|the)\b")


def normalised(text: str) -> str:
    """SQuAD's, with punctuation of every script; what takes its place is a space, so that "a-b" is two words in the
    answer as in the passage."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    plain = "".join(" " if unicodedata.category(char)[0] in "PS" else char for char in folded)
    return " ".join(_ARTICLES.sub(" ", plain).split())


def usable(answers: Iterable[str]) -> tuple[str, ...]:
    """The answers that can be looked for, normalised."""
    plain = (normalised(answer) for answer in answers)
    found = (one for one in plain if one not in YES_NO and sum(map(str.isalnum, one)) >= MIN_LETTERS)
    return tuple(dict.fromkeys(found))


def answer_rank(query: JudgedQuery, passages: Sequence[str]) -> int | None:
    """The rank (from 1) of the first passage that holds an answer as whole words; 0 when none does, None when the
    query has no answer that can be looked for.

    :param passages: the surfaces' texts, best hit first.
    """
    wanted = usable(query.answers)
    if not wanted:
        return None
    for rank, passage in enumerate(passages, start=1):
        words = f" {normalised(passage)} "
        if any(f" {answer} " in words for answer in wanted):
            return rank
    return NOT_FOUND


def score_of(rank: int | None, cutoff: int) -> float | None:
    """1 where an answer stands in the first ``cutoff`` hits, else 0; None where it cannot be measured."""
    return None if rank is None else float(0 < rank <= cutoff)
