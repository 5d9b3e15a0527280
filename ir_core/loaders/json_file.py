"""JSON: a list of records, or a mapping from id to text or record."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ir_core.errors import BadSource
from ir_core.loaders._base import FileFormat, Item, Options, Problem, SourceFile
from ir_core.loaders._decode import decode
from ir_core.loaders._records import TEXT_COLUMNS, pick, read_records
from ir_core.loaders.json_lines import read_lines


class JsonFile(FileFormat):
    name = "json"
    label = "JSON"
    summary = "A list of records, or a mapping from id to text or record."
    suffixes = (".json",)

    def read(self, file: SourceFile, options: Options) -> Iterator[Item]:
        text, note = decode(file.data(options.max_file_bytes))
        if note:
            yield Problem(file.name, note)
        repeated: list[str] = []

        def keep_all(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            """A key that comes twice keeps both values; JSON's readers drop the first."""
            found: dict[str, Any] = {}
            for key, value in pairs:
                own, count = key, 2
                while own in found:
                    own, count = f"{key}~{count}", count + 1
                if own != key:
                    repeated.append(key)
                found[own] = value
            return found

        try:
            value = json.loads(text, object_pairs_hook=keep_all)
        except RecursionError:
            raise BadSource("is nested too deeply to be read") from None
        except ValueError as error:
            if not _has_a_record(text.lstrip().partition("\n")[0]):
                raise BadSource(f"is not JSON ({error})") from None
            yield from read_lines(text, file.name, options)
            return
        for key in dict.fromkeys(repeated):
            what = f"has the key {key!r} more than once in one object; the later ones are kept as {key}~2 …"
            yield Problem(file.name, what)
        yield from read_records(_records(value, file.name), file.name, options)


def _has_a_record(line: str) -> bool:
    """Whether the first line is JSON by itself: then the file is JSON Lines under another name."""
    try:
        return isinstance(json.loads(line), Mapping)
    except (ValueError, RecursionError):
        return False


def _records(value: Any, name: str) -> Iterator[tuple[str, str, Any]]:
    """(place, fallback id, record) of each record.

    :raises BadSource: when the value holds no records.
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
            named = isinstance(record, Mapping) and not {"id", "_id"} & record.keys()
            yield f"record {key!r}", key, {"id": key, **record} if named else record
