"""A filter as rows of field, operator and value, or as JSON for whoever needs more."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ir_core.errors import BadFilter

OPERATORS: dict[str, str] = {
    "$eq": "is",
    "$ne": "is not",
    "$in": "is one of",
    "$nin": "is none of",
    "$gt": "is more than",
    "$gte": "is at least",
    "$lt": "is less than",
    "$lte": "is at most",
    "$contains": "contains",
}


@dataclass(frozen=True, slots=True)
class Row:
    field: str
    operator: str
    value: str


def to_filter(rows: Sequence[Row], types: Mapping[str, str]) -> dict[str, Any] | None:
    """Rows joined by "and"; a row without a value asks for nothing. None when nothing is asked.

    :param types: what each field holds, as the manifest says (text, date, number, flag, list, mixed).
    """
    parts = [
        {row.field: {row.operator: _value(row, types.get(row.field, "mixed"))}}
        for row in rows
        if row.field and row.value.strip()
    ]
    if not parts:
        return None
    return parts[0] if len(parts) == 1 else {"$and": parts}


def from_json(text: str) -> dict[str, Any] | None:
    """:raises BadFilter: when it is not one JSON object."""
    if not text.strip():
        return None
    try:
        found = json.loads(text)
    except ValueError as error:
        raise BadFilter(f"The filter is not JSON ({error}). Expected for example: {EXAMPLE}.") from None
    if not isinstance(found, dict):
        raise BadFilter(
            f"The filter is a JSON {type(found).__name__}, not an object. Expected for example: {EXAMPLE}."
        )
    return found or None


EXAMPLE = '{"area": {"$in": ["files", "sharing"]}}'


def words(found: Mapping[str, Any] | None) -> str:
    """A filter in one line, for a button or a card."""
    if not found:
        return "none"
    return json.dumps(found, ensure_ascii=False, separators=(", ", ": "))


def _value(row: Row, kind: str) -> Any:
    if row.operator in {"$in", "$nin"}:
        return [_read(part, kind) for part in row.value.split(",") if part.strip()]
    return _read(row.value, kind)


def _read(text: str, kind: str) -> Any:
    """A number or true and false where the field holds some; a year in a field of texts stays text."""
    plain = text.strip()
    if kind in {"flag", "mixed"} and plain.lower() in {"true", "false"}:
        return plain.lower() == "true"
    if kind in {"number", "mixed"}:
        for read in (int, float):
            try:
                number = read(plain)
            except ValueError:
                continue
            return number if number == number and abs(number) != float("inf") else plain
    return plain
