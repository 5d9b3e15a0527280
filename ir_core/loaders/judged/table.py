"""A file of queries as rows with named columns: CSV, TSV, JSON and JSON Lines, and lists of "id text"."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ir_core.errors import BadSource

MAX_COLUMNS = 200
MAX_ROWS = 200_000
_NUMBERED = re.compile(r"(?:wt\d\d-)?\d+:\s*\S")
"""A line of the web track's plain topics: "51:horse hooves"."""


@dataclass(frozen=True, slots=True)
class Table:
    """``rows`` map a column to text or, from JSON, any value; ``what`` names the format, in words."""

    what: str
    columns: tuple[str, ...]
    rows: tuple[Mapping[str, Any], ...]


def read_table(name: str, text: str) -> Table:
    """The rows of a file that is neither XML nor TREC's classic topics.

    :param text: decoded.
    :raises BadSource: when it is blank or cannot be read as rows; the message names the file.
    """
    stripped = text.lstrip("\ufeff \t\r\n")
    if not stripped:
        raise BadSource(f"{name} is blank, so it holds no query. Choose a file with queries in it.")
    if stripped[0] in "[{":
        return _json(name, stripped)
    lines = [line for line in text.splitlines() if line.strip()]
    if all(_NUMBERED.match(line) for line in lines):
        pairs = (line.partition(":") for line in lines)
        return Table("topics, one a line", ("id", "query"), tuple({"id": a, "query": b.strip()} for a, _, b in pairs))
    return _delimited(name, text, lines)


def _json(name: str, text: str) -> Table:
    """One value, else one on each line."""
    try:
        value = json.loads(text)
        what, found = "JSON", value
    except RecursionError:
        raise BadSource(f"{name} is nested too deeply to be read. Write it flatter.") from None
    except ValueError:
        what, found = "JSON Lines", [_line(name, number, line) for number, line in _lines(text)]
    if isinstance(found, Mapping):
        inner = [part for part in found.values() if isinstance(part, list)]
        found = inner[0] if len(inner) == 1 and inner[0] and isinstance(inner[0][0], Mapping) else [found]
    if not isinstance(found, list) or not all(isinstance(row, Mapping) for row in found):
        raise BadSource(f"{name} holds no records with named fields, one for each query. Write it as JSON Lines.")
    rows = [{str(key): value for key, value in row.items()} for row in found]
    columns = dict.fromkeys(key for row in rows for key in row)
    return Table(what, _checked(name, tuple(columns), len(rows)), tuple(rows))


def _lines(text: str) -> list[tuple[int, str]]:
    return [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]


def _line(name: str, number: int, line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadSource(f"{name}, line {number}, is not JSON ({error}). Correct the line.") from None


def _delimited(name: str, text: str, lines: list[str]) -> Table:
    import pandas as pd

    delimiter = max("\t,;|", key=lines[0].count)
    if not lines[0].count(delimiter):
        raise BadSource(
            f"{name} is no list of queries that is known here: neither BEIR's queries.jsonl, TREC topics, JSON, nor "
            "a table with commas, semicolons or tabs between its columns. Save it as one of these."
        )
    first = [part.strip() for part in lines[0].split(delimiter)]
    plain = delimiter == "\t" and len(first) == 2 and not _is_header(first)
    try:
        # Every cell is text: an id like 007 is no number, and "NA" may be a query.
        frame = pd.read_csv(
            io.StringIO(text), sep=delimiter, dtype=str, keep_default_na=False, header=None if plain else 0,
            names=["id", "query"] if plain else None, quoting=3 if delimiter == "\t" else 0, index_col=False,
            skip_blank_lines=True,
        )  # fmt: skip
    except (pd.errors.ParserError, pd.errors.EmptyDataError, ValueError) as error:
        said = " ".join(str(error).split())
        raise BadSource(f"{name} cannot be read as a table ({said}). Correct that place.") from None
    columns = tuple(str(column).strip() for column in frame.columns)
    frame.columns = list(columns)
    what = "TSV" if delimiter == "\t" else "CSV"
    _checked(name, columns, len(frame))
    return Table(
        what, columns, tuple({str(key): value for key, value in row.items()} for row in frame.to_dict("records"))
    )


def _is_header(fields: list[str]) -> bool:
    from ir_core.loaders.judged.columns import is_known

    return any(is_known(field) for field in fields)


def _checked(name: str, columns: tuple[str, ...], n_rows: int) -> tuple[str, ...]:
    if not n_rows:
        raise BadSource(f"{name} has no rows, so it holds no query. Add some.")
    if len(columns) > MAX_COLUMNS:
        raise BadSource(f"{name} has {len(columns):,} columns; {MAX_COLUMNS} can be read. Is it a list of queries?")
    if n_rows > MAX_ROWS:
        raise BadSource(f"{name} has {n_rows:,} rows; {MAX_ROWS:,} can be read. Split it.")
    return columns
