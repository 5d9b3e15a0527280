"""Many queries: pasted, from a file, or the corpus' own; bounded, with their labels where they have any."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from ir_core import config
from ir_core.errors import BadInput
from ir_core.evaluation import in_split
from ir_core.library import JudgedQuery
from ir_core.library.queries import read_queries
from ir_core.loaders import judged
from ir_core.router import LABELS
from pages._ui import numbers, safe
from pages.router.setup import Ready

MOST = 200
MAX_BYTES = 1_000_000
PASTED, FILE, OWN = "Paste", "File", "The corpus' own"


def choose(ready: Ready) -> tuple[JudgedQuery, ...]:
    """Draw the source; none where there is nothing yet, with the reason on the screen."""
    source = st.segmented_control(
        "Queries", [PASTED, FILE, OWN], key="rt_source", required=True, persist_state="session", default=PASTED
    )
    try:
        found = _own(ready) if source == OWN else _file() if source == FILE else _pasted()
        checked(found)
    except BadInput as error:
        safe.notice("error", error)
        return ()
    return tuple(found)


def checked(queries: list[JudgedQuery]) -> None:
    """:raises BadInput: for too many, or one that is too long."""
    if len(queries) > MOST:
        raise BadInput(f"There are {len(queries):,} queries; {MOST} are the most on this page. Split the list, or "
                       "use the command: query-prism route --file.")  # fmt: skip
    long = next((one for one in queries if len(one.text) > config.MAX_QUERY_CHARS), None)
    if long:
        raise BadInput(f"“{long.text[:40]}…” has {len(long.text):,} characters; a query has at most "
                       f"{config.MAX_QUERY_CHARS:,}.")  # fmt: skip


def of_lines(text: str) -> list[JudgedQuery]:
    """One query per line; blank lines are left out."""
    lines = [" ".join(line.split()) for line in text.splitlines()]
    return [JudgedQuery(str(number), line) for number, line in enumerate(filter(None, lines), start=1)]


def of_file(name: str, data: bytes) -> list[JudgedQuery]:
    """:raises BadInput: for a file that is too large, holds no query, or a line that is none."""
    if len(data) > MAX_BYTES:
        raise BadInput(f"The file has {len(data):,} bytes; {MAX_BYTES:,} are the most.")
    if name.lower().endswith(".jsonl"):
        found = [one for one in read_queries(data) if one.text.strip()]
    elif name.lower().endswith((".csv", ".tsv")):
        found = _of_table(name, data)
    else:
        found = of_lines(data.decode("utf-8-sig", "replace"))
    if not found:
        raise BadInput("The file holds no query. One stands on each line, in a column, or it is a queries.jsonl.")
    return [replace(one, category=one.category if one.category in LABELS else None) for one in found]


def _of_table(name: str, data: bytes) -> list[JudgedQuery]:
    """The column of queries is told by its name; one called "label" or "category" has their labels.

    :raises BadSource: when there is no such column.
    """
    seen = judged.look((name, data))
    columns = judged.guess(seen.table) if seen.table else None
    if seen.table and columns and columns.category is None and "label" in seen.table.columns:
        columns = replace(columns, category="label")
    return read_queries(judged.read(seen, None, columns).queries or b"")


def _pasted() -> list[JudgedQuery]:
    text = st.text_area(
        "One query on each line", key="rt_lines", height=150, persist_state="session", max_chars=MAX_BYTES // 4
    )
    return of_lines(text or "")


def _file() -> list[JudgedQuery]:
    file: Any = st.file_uploader(
        "A text file with one query on each line, a CSV with a column of them, or a queries.jsonl",
        type=["txt", "csv", "tsv", "jsonl"],
        key="rt_file",
    )
    return of_file(file.name, file.getvalue()) if file is not None else []


def _own(ready: Ready) -> list[JudgedQuery]:
    found = in_split(list(ready.queries), "test")[:MOST]
    if not found:
        safe.notice("info", f"{ready.title} comes with no queries of the test half.")
    else:
        safe.draw(f'<p class="qp-facts">{numbers.count(len(found), "query", "queries")} of its test half: rules and '
                  "tables were set on the other.</p>")  # fmt: skip
    return [replace(one, category=one.category if one.category in LABELS else None) for one in found]
