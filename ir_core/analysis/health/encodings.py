"""Letters that were read in the wrong encoding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import regex

from ir_core.analysis.health._material import Material
from ir_core.analysis.health._types import Example, Found, by_share, first, plural

AROUND = 40
"""Characters quoted on either side."""
_LOST = "\ufffd"
_RUN = regex.compile(r"\S*[^\x00-\x7f]\S*(?:\s\S*[^\x00-\x7f]\S*)*")


@dataclass(frozen=True)
class Encodings:
    name: ClassVar[str] = "encodings"
    label: ClassVar[str] = "Broken encodings"
    summary: ClassVar[str] = (
        "Letters read in the wrong encoding (cafÃ© for café), and characters that are lost (\ufffd)."
    )
    reference: ClassVar[str] = "ftfy (Speer 2019)"
    effect: ClassVar[str] = (
        "A broken word is another word: a query that spells it right misses it, and the embedder reads scraps."
    )
    change: ClassVar[str] = (
        "Save the source as UTF-8 and load it again; where characters are lost, export it anew from what wrote it."
    )
    setting: ClassVar[str] = ""
    order: ClassVar[int] = 70

    def look(self, material: Material) -> Found | None:
        told = [(row, said) for row, text in enumerate(material.texts) if (said := broken(text))]
        if not told:
            return None
        rows = [row for row, _ in told]
        documents = tuple(dict.fromkeys(material.document_of(row) for row in rows))
        return Found(
            severity=by_share(len(rows) / material.index.n, 0.01, 0.10),
            count=len(rows),
            said=(
                f"{plural(len(rows), 'surface')} of {material.index.n:,} "
                f"{'has' if len(rows) == 1 else 'have'} broken letters, in {plural(len(documents), 'document')}."
            ),
            examples=first(Example((material.id_of(row),), said, quote) for row, (said, quote) in told),
            rows=tuple(rows),
            documents=documents,
        )


def broken(text: str) -> tuple[str, str] | None:
    """What is broken in a text, and where; None for a sound one."""
    if text.isascii():
        return None
    if _LOST in text:
        place = text.index(_LOST)
        count = text.count(_LOST)
        return f"{plural(count, 'character')} lost", text[max(0, place - AROUND) : place + AROUND]
    return _mojibake(text)


def _mojibake(text: str) -> tuple[str, str] | None:
    """Whether undoing one wrong decoding gives better text; ftfy looks only at what it can undo without loss."""
    from ftfy import fix_encoding
    from ftfy.badness import is_bad

    if not is_bad(text):
        return None
    for run in _RUN.finditer(text):
        mended = fix_encoding(run.group())
        if mended != run.group():
            place = run.start()
            return f"reads as “{mended[:AROUND]}” when repaired", text[max(0, place - AROUND) : place + 2 * AROUND]
    return None
