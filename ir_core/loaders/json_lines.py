"""JSON Lines: one record per line; a broken line is named and the others load."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ir_core.loaders._base import FileFormat, Item, Options, Problem, SourceFile
from ir_core.loaders._decode import decode
from ir_core.loaders._records import read_records


class JsonLines(FileFormat):
    name = "jsonl"
    label = "JSON Lines"
    summary = "One record per line."
    suffixes = (".jsonl", ".ndjson")

    def read(self, file: SourceFile, options: Options) -> Iterator[Item]:
        text, note = decode(file.data(options.max_file_bytes))
        if note:
            yield Problem(file.name, note)
        yield from read_lines(text, file.name, options)


def read_lines(text: str, name: str, options: Options) -> Iterator[Item]:
    """The documents of JSON Lines; lines end with a line feed only, since JSON text may hold U+2028."""
    broken: list[Problem] = []

    def records() -> Iterator[tuple[str, str, Any]]:
        for number, line in enumerate(text.split("\n"), start=1):
            if not line.strip():
                continue
            try:
                yield f"line {number}", f"{name}:{number}", json.loads(line)
            except RecursionError:
                broken.append(Problem(name, f"line {number} is nested too deeply to be read"))
            except ValueError as error:
                broken.append(Problem(name, f"line {number} is not JSON ({error}); it was left out"))

    yield from read_records(records(), name, options)
    yield from broken
