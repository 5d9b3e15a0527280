"""Headers and footers: the same line at the beginning or the end of many documents, or on the pages of one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import regex

from ir_core.analysis.health._material import Material
from ir_core.analysis.health._types import Example, Found, by_share, first, plural
from ir_core.params import param

EDGE = 3
"""Lines looked at from either end."""
SHORTEST = 8
"""Letters and digits; a shorter line ("Notes") is a heading."""
LONGEST = 200
"""Characters; a longer line is a paragraph."""
_DIGITS = regex.compile(r"\p{N}+")
_SAID = regex.compile(r"[\p{L}\p{N}]")


@dataclass(frozen=True)
class RepeatedLines:
    """Numbers make no difference ("Page 3 of 12"). Documents with the very same text count once."""

    name: ClassVar[str] = "repeated_lines"
    label: ClassVar[str] = "Repeated headers and footers"
    summary: ClassVar[str] = "Lines that begin or end many documents, or stand on most pages of one."
    reference: ClassVar[str] = ""
    effect: ClassVar[str] = (
        "The line makes all these texts a little like each other, takes room in what the embedder reads, and brings "
        "every one of them to a query that shares a word with it."
    )
    change: ClassVar[str] = "Export the documents without headers and footers, or strip the line from the files."
    setting: ClassVar[str] = ""
    order: ClassVar[int] = 60

    least: int = param(5, help="Documents (or pages of one) that a line must stand in.", low=2)
    share: float = param(0.05, help="And of all documents (or half the pages), this share.", low=0, high=1)

    def look(self, material: Material) -> Found | None:
        edges = _edges(material)
        n_documents = len(edges)
        counted = Counter(line for lines in edges.values() for line in lines)
        needed = max(self.least, self.share * n_documents)
        often = {line: count for line, count in counted.items() if count >= needed}
        inside = self._on_pages(material)
        if not often and not inside:
            return None
        documents = [name for name, lines in edges.items() if lines.keys() & often.keys()]
        rows = [
            row
            for row, text in enumerate(material.texts)
            if any(_plain(line) in often for line in _ends(text.splitlines()))
        ]
        examples = [
            _example(line, count, [(name, lines[line]) for name, lines in edges.items() if line in lines])
            for line, count in sorted(often.items(), key=lambda pair: -pair[1])
        ]
        touched = tuple(dict.fromkeys([*documents, *(name for name, _, _ in inside)]))
        examples += [Example((name,), f"on {count:,} of its pages", line) for name, line, count in inside]
        return Found(
            severity=by_share(len(touched) / max(1, n_documents), 0.2, 0.5),
            count=len(often) + len(inside),
            said=(
                f"{plural(len(often) + len(inside), 'line recurs', 'lines recur')} at the beginning or end of texts, "
                f"in {plural(len(touched), 'document')} of {n_documents:,}."
            ),
            examples=first(examples),
            rows=tuple(rows),
            documents=touched,
        )

    def _on_pages(self, material: Material) -> list[tuple[str, str, int]]:
        """Document, line and how often, of documents with pages: their headers stand inside the text."""
        found = []
        for name, artifact in material.documents.items():
            pages = artifact.metadata.get("pages")
            if not isinstance(artifact.raw, str) or not isinstance(pages, int) or pages < self.least:
                continue
            lines = [line.strip() for line in artifact.raw.splitlines()]
            as_written = {_plain(line): line for line in reversed(lines)}
            for line, count in Counter(map(_plain, lines)).items():
                if line and count >= max(self.least, pages / 2):
                    found.append((name, as_written[line], count))
        return found


def _edges(material: Material) -> dict[str, dict[str, str]]:
    """By document, its first and last lines: as they are compared, and as they are written."""
    copies = {row for group in material.same_texts for row in group[1:]}
    found: dict[str, dict[str, str]] = {}
    for number, rows in enumerate(material.rows_by_document):
        if not rows or (rows[0] in copies and rows[-1] in copies):
            continue
        start, end = (material.texts[row].splitlines() for row in (rows[0], rows[-1]))
        lines = [*_seen(start)[:EDGE], *_seen(end)[-EDGE:]]
        found[material.index.artifact_ids[number]] = {_plain(line): line for line in reversed(lines) if _plain(line)}
    return found


def _ends(lines: Iterable[str]) -> list[str]:
    seen = _seen(lines)
    return [*seen[:EDGE], *seen[-EDGE:]]


def _seen(lines: Iterable[str]) -> list[str]:
    return [line.strip() for line in lines if line.strip()]


def _plain(line: str) -> str:
    """Without its numbers and capitals; blank for what is too short or too long to be a header."""
    if len(line) > LONGEST or len(_SAID.findall(line)) < SHORTEST:
        return ""
    return " ".join(_DIGITS.sub("#", line).casefold().split())


def _example(line: str, count: int, where: list[tuple[str, str]]) -> Example:
    ids = tuple(name for name, _ in where[:12])
    return Example(ids, f"in {plural(count, 'document')}", where[0][1] if where else line)
