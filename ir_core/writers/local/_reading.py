"""What a small model said, read: its slips are of its own kind.

It repeats an example, goes round in circles, runs into its limit, and splits questions that have no parts.
"""

from __future__ import annotations

from collections.abc import Sequence

from ir_core.text import content_words, sentences, stem
from ir_core.writers._llm_job import ANSWERS, STAYS_WHOLE
from ir_core.writers._replies import read_passage, read_queries, read_query
from ir_core.writers._reply_telling import says_something
from ir_core.writers.local._fewshot import FewShot

MOST_REPEATED = 0.4
"""Fewer different words than this share of all, and the text goes round in circles; English prose has above .6."""
_WORDS_TO_TELL = 8


def read(prompt: FewShot, reply: str, *, query: str, n: int, ended: bool) -> list[str]:
    """The usable texts in a reply, best first; empty when there is none.

    :param ended: False where it was cut at its token limit: the last text is then not whole.
    """
    longest = prompt.max_chars

    def tells(text: str) -> bool:
        return prompt.task in ANSWERS or says_something(text, query, None)

    if prompt.reply == "passage":
        text = reply if ended else _whole_sentences(reply)
        passage = read_passage(text, max_chars=longest, given=prompt.given)
        said = passage and tells(passage) and not prompt.echoes(passage) and not circles(passage)
        return [passage] if passage and said else []
    if prompt.reply == "query":
        found = read_query(reply, max_chars=longest, given=prompt.given, telling=tells) if ended else None
        return [found] if found and not circles(found) else []
    lines = f"1.{reply}" if ended else f"1.{reply}".rpartition("\n")[0]
    whole = prompt.task in STAYS_WHOLE
    known = None if whole else query
    texts = read_queries(lines, limit=n, max_chars=longest, original=known, given=prompt.given, telling=tells)
    texts = [text for text in texts if not circles(text)]
    return parts_of(query, texts) if whole else texts


def parts_of(query: str, texts: Sequence[str]) -> list[str]:
    """The sub-questions that ask for something of the question which none before asks for, and bring in no name or
    number that it does not hold. Fewer than two, and the question stays whole."""
    asked = _stems(query)
    kept: list[str] = []
    covered: set[str] = set()
    for text in texts:
        own = _stems(text) & asked
        if own - covered and own < asked and not _foreign_names(text, asked):
            kept.append(text)
            covered |= own
    return kept if len(kept) > 1 else [query]


def circles(text: str) -> bool:
    """Whether the text says the same few words over and over."""
    words = text.casefold().split()
    return len(words) >= _WORDS_TO_TELL and len(set(words)) < MOST_REPEATED * len(words)


def _whole_sentences(text: str) -> str:
    """Without the last sentence, which was cut; all of it where it is the only one."""
    found = sentences(text)
    return text[: found[-2][1]] if len(found) > 1 else text


def _stems(text: str) -> set[str]:
    return {stem(word) for word in content_words(text)}


def _foreign_names(text: str, asked: set[str]) -> bool:
    """Names and numbers after the first word (which is capitalised anyway) that the question does not hold."""
    names = [word for word in text.split()[1:] if word[:1].isupper() or word[:1].isdigit()]
    return bool(_stems(" ".join(names)) - asked)
