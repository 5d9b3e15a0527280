"""From records to documents: which column is the id, the title, the text; and the pass over a file's records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import regex

from ir_core.errors import NeedsColumn
from ir_core.loaders import _registry
from ir_core.loaders._base import Item, Options, Problem
from ir_core.loaders._clean import clean_id, clean_text, clean_value

ID_COLUMNS = ("id", "docid", "documentid", "uid", "uuid", "pid", "key", "identifier", "recordid", "corpusid")
TITLE_COLUMNS = ("title", "name", "question", "headline", "subject", "heading", "label")
TEXT_COLUMNS = (
    "text", "content", "contents", "body", "passage", "document", "fulltext", "pagecontent", "chunk", "article",
    "abstract", "paragraph", "description", "answer", "summary", "markdown", "message", "comment", "review",
    "context",
)  # fmt: skip
"""Usual names, compared without case and punctuation ("Doc ID" is docid); the first that a record has is taken."""
_PUNCTUATION = regex.compile(r"[^\p{L}\p{N}]")


def pick(record: Mapping[str, Any], usual: tuple[str, ...]) -> str | None:
    """The record's column with one of the usual names: the first with something in it, else the first there is."""
    plain = {_PUNCTUATION.sub("", key).lower(): key for key in reversed(list(record))}
    found = [plain[name] for name in usual if name in plain and not isinstance(record[plain[name]], Mapping)]
    return next((key for key in found if as_text(record[key]).strip()), found[0] if found else None)


def as_text(value: Any) -> str:
    """A field's text: lists line by line, numbers as written, nothing for what is empty or a mapping."""
    if value is None or isinstance(value, Mapping):
        return ""
    if isinstance(value, list | tuple):
        return "\n".join(part for part in map(as_text, value) if part)
    return clean_text(str(value))


def read_records(records: Iterable[tuple[str, str, Any]], name: str, options: Options) -> Iterator[Item]:
    """Documents of a file's records.

    :param records: (place in the file, for people; id where the record has none; record, or the Problem with it).
    """
    unmapped: list[tuple[str, tuple[str, ...]]] = []
    columns: dict[str, None] = {}
    mapped = False
    for number, (place, fallback_id, value) in enumerate(records):
        if number >= 2 * options.max_documents:
            yield Problem(name, f"holds over {number:,} records; those from {place} on were left out")
            break
        if isinstance(value, Problem):
            yield value
            continue
        record = {"text": value} if isinstance(value, str) else value
        if not isinstance(record, Mapping):
            yield Problem(name, f"{place} is {_kind_of(value)}, not a record with named fields")
            continue
        if not record:
            yield _blank(name, place, fallback_id)
            continue
        columns.update(dict.fromkeys(map(str, record)))
        try:
            record = clean_value(record)
            kind = next(kind for kind in _registry.kinds() if kind.claims(record))
            artifact = kind.artifact(record, fallback_id, options)
        except NeedsColumn as error:
            unmapped.append((place, error.columns))
            continue
        mapped = True
        yield artifact or _blank(name, place, _id_of(record, fallback_id))
    wanted = options.text_column
    if mapped and wanted and wanted not in columns:
        listed = _listed(tuple(columns))
        what = f"has no column {wanted!r}; its text was read from the usual one. Its columns: {listed}"
        yield Problem(name, what, lost=False)
    if unmapped and not mapped:
        yield Problem(name, _no_column(wanted, tuple(columns)), tuple(columns))
    elif unmapped:
        for place, own in unmapped:
            yield Problem(name, f"{place} has no known text column; its columns: {', '.join(own)}", own)


def _blank(name: str, place: str, own_id: str) -> Problem:
    return Problem(name, f"{place} is blank and was left out", blank=(own_id,))


def _id_of(record: Mapping[str, Any], fallback_id: str) -> str:
    column = pick(record, ID_COLUMNS)
    return clean_id(record[column], fallback_id) if column else fallback_id


def _no_column(wanted: str | None, columns: tuple[str, ...]) -> str:
    listed = _listed(columns)
    if wanted:
        what = f"has no column {wanted!r}, nor one that is known to hold the text"
    else:
        what = "has no column that is known to hold the text"
    return f"{what}; say which one does. Its columns: {listed}"


def _listed(columns: tuple[str, ...]) -> str:
    return ", ".join(columns[:30]) + (", …" if len(columns) > 30 else "")


def _kind_of(value: Any) -> str:
    names = {bool: "true or false", int: "a number", float: "a number", list: "a list", type(None): "null"}
    return names.get(type(value), f"a {type(value).__name__}")
