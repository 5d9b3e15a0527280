"""What a transform changed in the words of a query."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from pages._ui import safe


def word_diff(before: str, after: str) -> str:
    """HTML: kept words as they are, dropped ones in ``<del>``, new ones in ``<ins>``; all escaped.

    Case and punctuation at the end of a word do not count as a change of the word.
    """
    parts = []
    for kept, gone, come in _pieces(before, after):
        parts.extend([safe.text(kept)] if kept else [])
        parts.extend([f"<del>{safe.text(gone)}</del>"] if gone else [])
        parts.extend([f"<ins>{safe.text(come)}</ins>"] if come else [])
    return " ".join(parts)


def new_words(before: str, after: str) -> str:
    """HTML of ``after`` in which the words it shares with ``before`` step back; all escaped."""
    parts = []
    for kept, _, come in _pieces(before, after):
        parts.extend([f'<span class="qp-again">{safe.text(kept)}</span>'] if kept else [])
        parts.extend([safe.text(come)] if come else [])
    return " ".join(parts)


def added(before: str, after: str) -> str:
    """What ``after`` says beyond ``before``, where it begins with all of it; "" where it is put otherwise."""
    pieces = list(_pieces(before, after))
    if len(pieces) != 2 or not pieces[0][0] or pieces[1][1]:
        return ""
    return pieces[1][2].lstrip(" :;,.–-")


def _pieces(before: str, after: str) -> Iterator[tuple[str, str, str]]:
    """(kept, dropped, new) words, in order."""
    old, new = before.split(), after.split()
    matcher = difflib.SequenceMatcher(None, [_plain(word) for word in old], [_plain(word) for word in new], False)
    for what, i1, i2, j1, j2 in matcher.get_opcodes():
        if what == "equal":
            yield " ".join(new[j1:j2]), "", ""
        else:
            yield "", " ".join(old[i1:i2]), " ".join(new[j1:j2])


def _plain(word: str) -> str:
    return word.casefold().strip(".,;:!?؟\"'()") or word
