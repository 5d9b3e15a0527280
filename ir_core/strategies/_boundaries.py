"""Where a window of text may end and where the next one may begin, without tearing words or sentences apart."""

from __future__ import annotations

import regex

# Searched from the right (?r); the share says how much of the window must be filled for such an end to be taken.
_ENDS = (
    (regex.compile(r"(?r)\n\s*\n"), 0.5),
    (regex.compile(r"(?r)\n"), 0.7),
    (regex.compile(r"(?rs)(?:[.!?…؟।][\"'”’)\]»]*(?=\s)|[。！？](?=.))"), 0.6),
    (regex.compile(r"(?r)\s"), 0.25),
)
_SENTENCE = 2
_JOINED = regex.compile(r"[\p{M}\u200d\ufe0f\U0001f3fb-\U0001f3ff]")
"""Characters that belong to the one before them: marks, the joiner, emoji modifiers."""
_LONGEST_CLUSTER = 16
_SPACE = regex.compile(r"\s")


def cut(text: str, start: int, end: int) -> int:
    """The best place in (start, end] to end a window: a paragraph, line, sentence or word; else ``end`` itself,
    moved back a little where it would tear a mark off its letter."""
    if end >= len(text):
        return len(text)
    for number, (pattern, share) in enumerate(_ENDS):
        low = start + max(1, int((end - start) * share))
        found = pattern.search(text, low, end + 1)
        if found:
            place = found.end() if number == _SENTENCE else found.start()
            if start < place <= end:
                return int(place)
    return _whole_cluster(text, start, end)


def resume(text: str, target: int, end: int) -> int:
    """Where the next window begins: the first start of a word in [target, end), else ``target`` itself, moved on a
    little where it would tear a mark off its letter."""
    place = target
    if not (text[target - 1 : target].isspace() or text[target : target + 1].isspace()):
        gap = _SPACE.search(text, target, end)
        place = gap.start() if gap else target
        while place < end and _inside_cluster(text, place):
            place += 1
    return over_space(text, place)


def over_space(text: str, place: int) -> int:
    """The first character from ``place`` on that is not white space."""
    while place < len(text) and text[place].isspace():
        place += 1
    return place


def _whole_cluster(text: str, start: int, end: int) -> int:
    place = end
    while place > start + 1 and end - place < _LONGEST_CLUSTER:
        if not _inside_cluster(text, place):
            return place
        place -= 1
    return end


def _inside_cluster(text: str, place: int) -> bool:
    return bool(_JOINED.match(text[place])) or text[place - 1] == "\u200d"
