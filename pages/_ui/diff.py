"""What a rewrite changed, word by word."""

from __future__ import annotations

import difflib

from pages._ui import safe


def word_diff(before: str, after: str) -> str:
    """HTML: kept words as they are, dropped ones in ``<del>``, new ones in ``<ins>``; all escaped.

    Case and punctuation at the end of a word do not count as a change of the word.
    """
    old, new = before.split(), after.split()
    matcher = difflib.SequenceMatcher(None, [_plain(word) for word in old], [_plain(word) for word in new], False)
    parts: list[str] = []
    for what, i1, i2, j1, j2 in matcher.get_opcodes():
        if what == "equal":
            parts.append(safe.text(" ".join(new[j1:j2])))
            continue
        for tag, words in (("del", old[i1:i2]), ("ins", new[j1:j2])):
            if words:
                parts.append(f"<{tag}>{safe.text(' '.join(words))}</{tag}>")
    return " ".join(parts)


def _plain(word: str) -> str:
    return word.casefold().strip(".,;:!?؟\"'()") or word
