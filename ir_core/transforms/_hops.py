"""What a chain of hops is made of: references to earlier answers, and answers that stand in a passage.

``#1`` stands for the answer to the first sub-question (MuSiQue, Trivedi et al., TACL 2022).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import regex

from ir_core.schema import Hit
from ir_core.text import normalise

MAX_ANSWER_CHARS = 120
"""A name, a date or a short phrase; what is longer is a passage, and would drown the question it is filled into."""
NO_ANSWER = "unknown"
"""What the prompt asks for where the passages hold no answer."""

_REFERENCE = regex.compile(r"(?<!\w)#(\d{1,2})(?!\w)")
_SPACED = r"[\p{Latin}\p{Greek}\p{Cyrillic}\p{N}]"
"""Letters of scripts whose words stand apart: an answer in them begins and ends where a word does."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer and the hit it stands in."""

    text: str
    hit: Hit


class Unanswered(Exception):
    """Its words say why a hop has no answer, as the end of a sentence."""


def references(text: str) -> tuple[int, ...]:
    """The numbers of the hops whose answers a sub-question asks for, in order, each once."""
    return tuple(dict.fromkeys(int(found) for found in _REFERENCE.findall(text)))


def unanswered(text: str, original: str) -> bool:
    """Whether a sub-question waits for an earlier one's answer; a mark that the user typed does not."""
    return not set(references(text)) <= set(references(original))


def filled(text: str, answers: Mapping[int, Answer]) -> str:
    """The sub-question with its answers in place; a mark inside an answer stays as it is."""
    return str(
        _REFERENCE.sub(lambda found: answers[int(found[1])].text if int(found[1]) in answers else found[0], text)
    )


def checked(text: str, hits: Sequence[Hit]) -> Answer:
    """The answer with the first hit it stands in, compared without case, marks and line breaks.

    :raises Unanswered: for one that is blank, too long, says that there is none, or stands in no hit.
    """
    answer = " ".join(text.split()).strip(" .\"'“”")
    if not answer or answer.casefold() == NO_ANSWER:
        raise Unanswered("its first documents hold no answer")
    if len(answer) > MAX_ANSWER_CHARS:
        raise Unanswered(f"its answer has {len(answer):,} characters, more than the {MAX_ANSWER_CHARS} of a name")
    hit = next((hit for hit in hits if stands_in(answer, hit.text)), None)
    if hit is None:
        raise Unanswered(f"its answer “{answer}” stands in none of the documents read, and is refused")
    return Answer(answer, hit)


def stands_in(answer: str, text: str) -> bool:
    """True where the text holds the answer, whole words of it, in any case."""
    wanted = _plain(answer)
    if not wanted:
        return False
    before = f"(?<!{_SPACED})" if regex.match(_SPACED, wanted) else ""
    after = f"(?!{_SPACED})" if regex.match(_SPACED, wanted[-1]) else ""
    return regex.search(f"{before}{regex.escape(wanted)}{after}", _plain(text)) is not None


def _plain(text: str) -> str:
    return " ".join(normalise(text).split())
