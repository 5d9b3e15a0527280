"""An answer written from the first hits, against the answers known to be right, as SQuAD compares them.

Exact match and token F1 (Rajpurkar et al., EMNLP 2016), the best over the known answers; besides, whether a known
answer stands in the reply as whole words. "Yes" and "no" are answers here: they are compared, not looked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from ir_core.evaluation.answers import YES_NO, Forms, forms, normalised, stands_in

SAID_NOTHING = frozenset({"unknown", "none", normalised("n/a"), "غير معروف"})
"""What the prompt asks for where the passages do not hold the answer, and what models say in its place."""


@dataclass(frozen=True, slots=True)
class Answer:
    """From the first ``k`` surfaces. ``cannot``: it said that they do not hold the answer, or there were none.
    ``exact`` is the whole of a known answer, ``holds`` that one stands in it, ``f1`` in [0, 1]."""

    k: int
    text: str = ""
    cannot: bool = True
    exact: bool = False
    holds: bool = False
    f1: float = 0.0


def gold_of(answers: Iterable[str]) -> tuple[str, ...]:
    """The answers that can be compared with, normalised; a reply is not scored where there is none."""
    return tuple(dict.fromkeys(filter(None, map(normalised, answers))))


def answer_of(reply: str, answers: Iterable[str], k: int) -> Answer:
    """The reply scored; ``answers`` are the known ones as they were written."""
    said = normalised(reply)
    if not said or said in SAID_NOTHING:
        return Answer(k, reply)
    known = tuple(answers)
    gold, read = gold_of(known), forms(reply)
    return Answer(
        k=k,
        text=reply,
        cannot=False,
        exact=said in gold,
        holds=any(_holds(read, forms(one)) for one in known),
        f1=max((_f1(said, one) for one in gold), default=0.0),
    )


def _holds(said: Forms, gold: Forms) -> bool:
    """A "no" in the middle of a sentence says nothing; at its beginning it does."""
    if gold[0] in YES_NO:
        return said[1].split()[:1] == [gold[0]]
    return bool(gold[0]) and stands_in(gold, said)


def _f1(said: str, gold: str) -> float:
    own, known = said.split(), gold.split()
    shared = sum((Counter(own) & Counter(known)).values())
    return 2 * shared / (len(own) + len(known))
