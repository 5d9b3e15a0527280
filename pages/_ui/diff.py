"""What a rewrite changed, word by word."""

from __future__ import annotations

import difflib
import re

from pages._ui import safe

_WORDS = re.compile(r"\s+|[^\s]+")


def word_diff(before: str, after: str) -> str:
    """HTML: kept words as they are, new ones in ``<ins>``, dropped ones in ``<del>``; all escaped.

    Case and punctuation at the end of a word do not count as a change of the word.
    """
    old, new = _WORDS.findall(before.strip()), _WORDS.findall(after.strip())
    matcher = difflib.SequenceMatcher(None, [_plain(word) for word in old], [_plain(word) for word in new], False)
    out: list[str] = []
    for what, i1, i2, j1, j2 in matcher.get_opcodes():
        if what == "equal":
            out.append(safe.text("".join(new[j1:j2])))
            continue
        gone, come = "".join(old[i1:i2]), "".join(new[j1:j2])
        if gone.strip():
            out.append(f"<del>{safe.text(gone.strip())}</del>" + (" " if come.strip() or gone[-1:].isspace() else ""))
        if come.strip():
            out.append(f"<ins>{safe.text(come.strip())}</ins>" + (" " if come[-1:].isspace() else ""))
        if not gone.strip() and not come.strip():
            out.append(" ")
    return "".join(out)


def _plain(word: str) -> str:
    return " " if word.isspace() else word.casefold().strip(".,;:!?؟\"'()") or word
