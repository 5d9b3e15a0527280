"""JSON as people write it: one value, or one record per line, whatever the file is called."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ir_core.errors import BadSource
from ir_core.loaders._base import Item, Options, Problem
from ir_core.loaders._records import TEXT_COLUMNS, pick, read_records

Placed = tuple[str, str, Any]
"""Place in the file for people, id where the record has none, the record (or the Problem in its place)."""


def read_lines(text: str, name: str, options: Options) -> Iterator[Item]:
    """The documents of JSON Lines; lines end with a line feed only, since JSON text may hold U+2028."""
    lines = enumerate(text.split("\n"), start=1)
    records = (
        (f"line {number}", f"{name}:{number}", parse_line(line, number, name))
        for number, line in lines
        if line.strip()
    )
    yield from read_records(records, name, options)


def parse_line(line: str, number: int, name: str) -> Any:
    """The value of a line, or the Problem with it."""
    try:
        return json.loads(line, parse_int=_int)
    except RecursionError:
        return Problem(name, f"line {number} is nested too deeply to be read; it was left out")
    except json.JSONDecodeError as error:
        what = f"{error.msg} at character {error.colno}"
        return Problem(name, f"line {number} is not JSON ({what}); it was left out")


def read_value(text: str, name: str, options: Options) -> Iterator[Item]:
    """The documents of one JSON value.

    :raises BadSource: when it is no JSON, or holds no records.
    """
    repeated: dict[str, None] = {}

    def keep_all(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        """A key that comes twice keeps both values; JSON's readers drop the first."""
        found: dict[str, Any] = {}
        for key, value in pairs:
            own, count = key, 2
            while own in found:
                own, count = f"{key}~{count}", count + 1
                repeated[key] = None
            found[own] = value
        return found

    try:
        value = json.loads(text, object_pairs_hook=keep_all, parse_int=_int)
    except RecursionError:
        raise BadSource("is nested too deeply to be read; write it flatter") from None
    except json.JSONDecodeError as error:
        raise BadSource(f"is not JSON ({error}); correct that place") from None
    for key in repeated:
        what = f"has the key {key!r} more than once in one object; the later ones are kept as {key}~2 …"
        yield Problem(name, what, lost=False)
    yield from read_records(_records(value, name), name, options)


def is_lines(text: str) -> bool:
    """Whether the first line that is not blank is a record by itself and more follows: then it is JSON Lines."""
    first, _, rest = text.lstrip().partition("\n")
    try:
        return bool(rest.strip()) and isinstance(json.loads(first), Mapping)
    except (ValueError, RecursionError):
        return False


def _int(digits: str) -> int | str:
    """A number too long to compute with is an identifier."""
    return int(digits) if len(digits) < 400 else digits


def _records(value: Any, name: str) -> Iterator[Placed]:
    """The records in a value.

    :raises BadSource: when there are none.
    """
    if isinstance(value, list):
        for number, record in enumerate(value, start=1):
            yield f"record {number}", f"{name}:{number}", record
        return
    if not isinstance(value, Mapping) or not value:
        raise BadSource("holds no records; a list of objects, or an object from id to text or record, was expected")
    lists = [part for part in value.values() if isinstance(part, list) and part and isinstance(part[0], Mapping)]
    if len(lists) == 1 and not any(isinstance(part, Mapping) for part in value.values()):
        yield from _records(lists[0], name)
    elif pick(value, TEXT_COLUMNS) and not all(isinstance(part, Mapping) for part in value.values()):
        yield "the record", f"{name}:1", value
    else:
        for key, part in value.items():
            record = {"text": part} if isinstance(part, str) else part
            unnamed = isinstance(record, Mapping) and not {"id", "_id"} & record.keys()
            yield f"record {key!r}", key, {"id": key, **record} if unnamed else record
