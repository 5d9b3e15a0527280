"""Headers and footers: the same line at the beginning or the end of many documents, or on the pages of one."""

from __future__ import annotations

import calendar
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import regex

from ir_core.analysis.health._material import Material
from ir_core.analysis.health._types import Example, Found, by_share, first, plural
from ir_core.params import param
from ir_core.schema import Artifact

EDGE = 3
"""Lines looked at from either end."""
SHORTEST = 8
"""Letters and digits; a shorter line ("Notes") is a heading."""
LONGEST = 200
"""Characters; a longer line is a paragraph."""
PROSE = 6
"""Letters ("page of") that make a line the same one whatever its numbers are."""
_DIGITS = regex.compile(r"\p{N}+")
_NUMBER = regex.compile(r"\p{N}(?:[\s.,:/()+-]*\p{N})*")
_PAGE = regex.compile(r"\p{N}{1,3}")
"""What a number that counts pages looks like; a year, a phone or an amount needs more words around it."""
_SAID = regex.compile(r"[\p{L}\p{N}]")
_LABEL = regex.compile(r"^[^\p{N}:：]*[:：]")
_STRUCTURE = regex.compile(r"^#{1,6}\s|[:：][\s*_]*$")
"""A Markdown heading, or a label alone ("Arguments:"), which documents of one kind share."""
_DATES = frozenset(
    name.casefold()
    for names in (calendar.month_name, calendar.month_abbr, calendar.day_name, calendar.day_abbr)
    for name in names
)


@dataclass(frozen=True)
class RepeatedLines:
    """Numbers make no difference among words ("Page 3 of 12"); where they are what the line says (a date, an
    amount), only the very same line recurs. Documents with the very same text count once."""

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
            if often.keys() & _compared(_ends(text, text, material.documents.get(material.document_of(row))))
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
        name = material.index.artifact_ids[number]
        start, end = (material.texts[row] for row in (rows[0], rows[-1]))
        found[name] = _compared(_ends(start, end, material.documents.get(name)))
    return found


def _ends(start: str, end: str, document: Artifact | None) -> list[str]:
    """The first lines of one text and the last of another, without those that are a whole field of a record: a
    strategy that finds no text in it puts its fields (time, project) below each other."""
    fields: set[str] = set()
    if document is not None and isinstance(document.raw, Mapping):
        fields = {value.strip() for value in document.raw.values() if isinstance(value, str)}
        fields |= {f"{value}." for value in fields}  # as a title stands above a text
    lines = ([line.strip() for line in text.splitlines()] for text in (start, end))
    first_lines, last_lines = ([line for line in some if line and line not in fields] for some in lines)
    return [*first_lines[:EDGE], *last_lines[-EDGE:]]


def _compared(lines: Iterable[str]) -> dict[str, str]:
    """As they are compared, and as the first of them is written."""
    return {plain: line for line in reversed(list(lines)) if (plain := _plain(line))}


def _plain(line: str) -> str:
    """Without capitals, and without numbers among enough words; blank for what is no header."""
    if len(line) > LONGEST or len(_SAID.findall(line)) < SHORTEST or _STRUCTURE.search(line):
        return ""
    line = " ".join(line.casefold().split())
    if not _DIGITS.search(line):
        return line
    rest = _LABEL.sub("", line)  # what a label says of ("Amount due: 12.50") is another in each document
    words = _words(rest)
    digits = sum(len(_SAID.findall(one)) for one in _NUMBER.findall(rest) if not _PAGE.fullmatch(one))
    if len(words) >= (3 if digits else 2) and len("".join(words)) >= max(PROSE, 3 * digits):
        return _DIGITS.sub("#", line)
    return line if _words(line) else ""


def _words(line: str) -> list[str]:
    """Those without a digit (no INV-2026-11073), names of days and months aside."""
    tokens = (regex.sub(r"[^\p{L}]", "", token) for token in line.split() if not _DIGITS.search(token))
    return [token for token in tokens if token and token not in _DATES]


def _example(line: str, count: int, where: list[tuple[str, str]]) -> Example:
    ids = tuple(name for name, _ in where[:12])
    return Example(ids, f"in {plural(count, 'document')}", where[0][1] if where else line)
