"""Texts into overlapping slices, by characters or by the tokens of a model.

Both keep three promises, tested as properties: a slice is ``text[start:end]`` without white space around it; every
character that is not white space is in at least one slice; each slice begins after the one before it. A slice of
tokens, tokenised on its own, never has more than the limit, unless it is one single character that does.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import islice

from ir_core.strategies._boundaries import cut, over_space, resume
from ir_core.strategies._tokenizers import SubwordTokenizer

Slice = tuple[int, int]
Reach = Callable[[int], int]
"""Start of a window to the furthest it may end."""
Back = Callable[[int, int], int]
"""Start and end of a window to where the next one should begin."""

MAX_CHARS_PER_TOKEN = 12
"""WordPiece reads a run of more than 100 characters without a space as one unknown token; without this bound a page
of Thai would be one slice of a few such tokens."""
_CHECKED_AT_ONCE = 16


def character_slices(text: str, size: int, overlap: int) -> list[Slice]:
    """Slices of at most ``size`` characters; neighbours share at most ``overlap``."""
    text = text.rstrip()
    return list(_windows(text, over_space(text, 0), lambda start: start + size, lambda _, end: end - overlap))


def token_slices(text: str, tokenizer: SubwordTokenizer, limit: int, overlap: int) -> list[Slice]:
    """Slices of at most ``limit`` tokens, special ones not counted; neighbours share about ``overlap``."""
    text = text.rstrip()
    starts = [start for start, _ in tokenizer.offsets(text)]

    def reach(start: int) -> int:
        past = bisect_left(starts, start) + limit
        end = starts[past] if past < len(starts) else len(text)
        return max(start + 1, min(end, start + limit * MAX_CHARS_PER_TOKEN))

    def back(start: int, end: int) -> int:
        first = bisect_left(starts, end) - overlap
        return starts[first] if overlap and first > bisect_left(starts, start) else end

    found: list[Slice] = []
    planned = _windows(text, over_space(text, 0), reach, back)
    while ahead := list(islice(planned, _CHECKED_AT_ONCE)):
        counts = tokenizer.counts([text[start:end] for start, end in ahead])
        good = next((number for number, count in enumerate(counts) if count > limit), None)
        found += ahead[:good]
        if good is not None:
            start, end = _shrunk(text, ahead[good], tokenizer, limit)
            found.append((start, end))
            planned = _windows(text, _next(text, start, end, back), reach, back)
    return found


def _windows(text: str, start: int, reach: Reach, back: Back) -> Iterator[Slice]:
    while start < len(text):
        end = cut(text, start, reach(start))
        end = start + len(text[start:end].rstrip())
        yield start, end
        start = _next(text, start, end, back)


def _next(text: str, start: int, end: int, back: Back) -> int:
    """Start of the window after [start, end): later than ``start``, and with nothing but white space left out."""
    if end >= len(text):
        return len(text)
    target = back(start, end)
    place = resume(text, target, end) if start < target < end else end
    return place if place < end else over_space(text, end)


def _shrunk(text: str, window: Slice, tokenizer: SubwordTokenizer, limit: int) -> Slice:
    """A slice on its own can have more tokens than its share of the whole text: cut it until it has not."""
    start, end = window
    while end - start > 1:
        own = tokenizer.offsets(text[start:end])
        if len(own) <= limit:
            break
        end = cut(text, start, start + min(max(1, own[limit][0]), end - start - 1))
        end = start + len(text[start:end].rstrip())
    return start, end
