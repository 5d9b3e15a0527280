"""Tab-separated reformulations: a query id and one or more texts, as QueryGym writes them; or, where a header says so
(``query``), the query itself in the first column.

QueryGym (github.com/ls3-lab/QueryGym, ``querygym/cli.py`` and ``data/dataloader.py``) has two kinds: "concat", no
header, the id and one text, the query repeated in front of it; and "plain", a header ``qid`` and ``passage``,
``passage_1``, ``keyword_1``, ``reformulation_1``, ``refined_query`` and so on, and just what was written. Its library
puts quotes around a field as spreadsheets do; its command line writes backslashes before quotes instead.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from ir_core.writers.recorded.plain import ID_KEYS, QUERY_KEYS, Plain

_BACKSLASHED = re.compile(r'(?:[^\\"]++|\\["\\\t\r\n])*+')
"""No quote and no backslash that is not escaped: what ``csv`` writes with ``QUOTE_NONE``."""
MODEL_COLUMNS = ("model", "method", "date")
"""Columns that hold no text."""


def rows_of(text: str) -> Iterator[tuple[int, Plain | str]]:
    """Number of the line each record ends on, and the record, or what is wrong with it."""
    names: list[str] | None = None
    for number, row in _split(text):
        if not any(cell.strip() for cell in row):
            continue
        if names is None:
            names = [cell.strip().lower().replace("-", "_") for cell in row]
            if names[0] in (*ID_KEYS, *QUERY_KEYS):
                continue
            names = []
        yield number, _record(row, names) if len(row) > 1 else "it has no tab between a query and its text"


def _record(row: list[str], names: list[str]) -> Plain:
    """The first column names the query: by its text where the header says so, else by its id."""
    named = dict(zip(names, row, strict=False))
    first = row[0].strip()
    is_text = bool(names) and names[0] in QUERY_KEYS
    query = None if is_text else next((named[key] for key in QUERY_KEYS if names and key in names[1:]), None)
    skipped = {place for place, name in enumerate(names) if name in (*QUERY_KEYS, *ID_KEYS, *MODEL_COLUMNS)}
    texts = tuple(cell for place, cell in enumerate(row) if place and place not in skipped)
    kept = tuple(cell for cell in texts if cell.strip()) or ("",)
    model, date = named.get("model") or None, named.get("date") or None
    return Plain(None if is_text else first, first if is_text else query, kept, model, date)


def _split(text: str) -> list[tuple[int, list[str]]]:
    """Cells of each row. Where quotes do not pair up, they are part of the text, and a line is a row."""
    if "\\" in text and _BACKSLASHED.fullmatch(text):
        reader = csv.reader(
            io.StringIO(text, newline=""), delimiter="\t", quoting=csv.QUOTE_NONE, escapechar="\\", strict=True
        )
    else:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter="\t", strict=True)
    try:
        return [(reader.line_num, row) for row in reader]
    except csv.Error:
        lines = text.replace("\r\n", "\n").split("\n")
        return [(number, line.split("\t")) for number, line in enumerate(lines, start=1)]
