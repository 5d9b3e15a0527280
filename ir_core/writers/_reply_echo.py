"""The prompt's own words, which a weak model repeats in place of an answer."""

from __future__ import annotations

import re

from ir_core.writers._reply_marks import NUMBER

_SENTENCE = re.compile(r"(?<=[.!?؟:])\s+")
_MARK = re.compile(r"^\W+|\W+$")
_QUOTED = re.compile(r"[\"“]([^\"“”]{6,})[\"”]")
_SHORTEST = 4
"""Characters; a shorter line of a prompt is a word any text may hold."""


def plain(text: str) -> str:
    """A text without case, white space and marks at its ends, as lines are compared."""
    return _MARK.sub("", " ".join(text.casefold().split()))


def lines_of(*parts: str) -> frozenset[str]:
    """Every line of a prompt, also without its number, each of its sentences, and every example it quotes, in
    :func:`plain` form.

    :param parts: the prompt without the user's query and conversation, which a reply may repeat.
    """
    found: set[str] = set()
    for part in parts:
        found.update(_QUOTED.findall(part))
        for text in (*part.splitlines(), *_SENTENCE.split(" ".join(part.split()))):
            found |= {text, NUMBER.sub("", text.strip())}
    return frozenset(line for line in map(plain, found) if len(line) >= _SHORTEST)


def is_echo(text: str, given: frozenset[str]) -> bool:
    """True where a text, or most of its sentences by length, is the prompt's (:func:`lines_of`)."""
    if not given or plain(text) in given:
        return bool(given)
    sentences = list(map(plain, _SENTENCE.split(" ".join(text.split()))))
    return 2 * sum(len(one) for one in sentences if one in given) > sum(map(len, sentences))
