"""CSV and TSV: a header, then one record per row."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, zip_longest
from typing import Any, Literal

from ir_core.errors import BadSource
from ir_core.loaders._base import FileFormat, Item, Options, Problem, SourceFile
from ir_core.loaders._decode import decode
from ir_core.loaders._records import read_records

MAX_COLUMNS = 1_000
Row = tuple[int, list[str]]
"""The line a row ends on, and its fields."""


class Csv(FileFormat):
    name = "csv"
    label = "CSV table"
    summary = "A header, then one record per row; comma, semicolon, tab or bar between the fields."
    suffixes = (".csv",)

    def read(self, file: SourceFile, options: Options) -> Iterator[Item]:
        yield from _read(file, options, ",;\t|")


class Tsv(FileFormat):
    name = "tsv"
    label = "TSV table"
    summary = "A header, then one record per row; tabs between the fields."
    suffixes = (".tsv", ".tab")

    def read(self, file: SourceFile, options: Options) -> Iterator[Item]:
        yield from _read(file, options, "\t,;|")


def _read(file: SourceFile, options: Options, delimiters: str) -> Iterator[Item]:
    text, note = decode(file.data(options.max_file_bytes))
    text = text.lstrip("\n")
    first, _, rest = text.partition("\n")
    if first[:4].lower() == "sep=" and len(first.strip()) == 5:  # Excel's own way to name the delimiter
        text, delimiters, first = rest, first[4], rest.partition("\n")[0]
    # Of equal counts the first wins, so one column (no delimiter in the header) is a comma's or a tab's file.
    delimiter = max(delimiters, key=first.count)
    rows, remark = _rows(text, delimiter, limit=options.max_documents + 2)
    if not rows:
        raise BadSource("is blank; save it again with rows in it")
    header = header_names(rows[0][1])
    if len(header) > MAX_COLUMNS:
        raise BadSource(f"has {len(header):,} columns; {MAX_COLUMNS:,} can be read. Is it a table?")
    if len(rows) == 1:
        raise BadSource(f"has a header ({', '.join(header)}) and no rows; add some")
    for said in (note, remark):
        if said:
            yield Problem(file.name, said, lost=False)
    yield from wider(rows[1:], header, file.name, "line")
    records = list(as_records(rows[1:], header, file.name, "line"))
    _give_types([record for _, _, record in records], header)
    yield from read_records(records, file.name, options)


def _rows(text: str, delimiter: str, limit: int) -> tuple[list[Row], str | None]:
    """The rows, and a remark when quotation marks could not be taken at their word.

    A mark that is never closed would swallow every row after it in silence. Where marks are used wrongly, the
    reading (marks quote, or are ordinary letters) that gives more rows of the header's width is taken.
    """
    try:
        return _parse(text, delimiter, limit, strict=True), None
    except csv.Error:
        quoted = _parse(text, delimiter, limit)
        plain = _parse(text, delimiter, limit, quoting=csv.QUOTE_NONE)
    if _regular(quoted) >= _regular(plain):
        return quoted, None
    return plain, "uses quotation marks that do not pair; they were read as ordinary characters"


def _parse(
    text: str, delimiter: str, limit: int, strict: bool = False, quoting: Literal[0, 3] = csv.QUOTE_MINIMAL
) -> list[Row]:
    csv.field_size_limit(max(csv.field_size_limit(), len(text) + 1))
    reader = csv.reader(io.StringIO(text), delimiter=delimiter, strict=strict, quoting=quoting)
    filled = ((reader.line_num, fields) for fields in reader if any(field.strip() for field in fields))
    return list(islice(filled, limit))


def _regular(rows: Sequence[Row]) -> int:
    return sum(1 for _, fields in rows if len(fields) == len(rows[0][1]))


def header_names(fields: Sequence[str]) -> list[str]:
    """Column names, each once: an empty one is "column 3", a repeated one gets ~2."""
    names: dict[str, None] = {}
    for number, field in enumerate(fields, start=1):
        name = plain = field.strip() or f"column {number}"
        count = 2
        while name in names:
            name, count = f"{plain}~{count}", count + 1
        names[name] = None
    return list(names)


def wider(
    rows: Iterable[tuple[int, Sequence[Any]]], header: Sequence[str], name: str, unit: str
) -> Iterator[Problem]:
    """A remark on the rows (a number for people, and the fields) that have more fields than the header."""
    over = [number for number, fields in rows if len(fields) > len(header)]
    if over:
        listed = ", ".join(map(str, over[:5])) + (" …" if len(over) > 5 else "")
        what = f"has more fields than its header on {unit} {listed}; they are kept as 'more fields'"
        yield Problem(name, what, lost=False)


def as_records(
    rows: Iterable[tuple[int, Sequence[Any]]], header: Sequence[str], name: str, unit: str
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Place in the file, id where the record has none, and the record of each row."""
    for count, (number, fields) in enumerate(rows, start=1):
        record: dict[str, Any] = dict(zip_longest(header, fields[: len(header)], fillvalue=""))
        if len(fields) > len(header):
            record["more fields"] = list(fields[len(header) :])
        yield f"{unit} {number}", f"{name}:{count}", record


def _give_types(records: Sequence[dict[str, Any]], header: Sequence[str]) -> None:
    """Columns whose every value is a number become numbers, so that filters can compare them."""
    for column in header:
        values = [record[column] for record in records if record[column].strip()]
        for kind in (int, float):
            if values and all(_is_plain_number(value, kind) for value in values):
                for record in records:
                    record[column] = kind(record[column]) if record[column].strip() else None
                break


def _is_plain_number(text: str, kind: type[int] | type[float]) -> bool:
    """Whether the number says all that the text does: no leading zero (a postcode), no letters, not too long."""
    text = text.strip()
    digits = text.lstrip("-")
    if not text.isascii() or len(text) > 15 or "_" in text or (digits[:2].isdigit() and digits[0] == "0"):
        return False
    try:
        kind(text)
    except ValueError:
        return False
    return digits[:1].isdigit()
