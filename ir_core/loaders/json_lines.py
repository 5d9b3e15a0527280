"""JSON Lines: one record per line; a broken line is named and the others load."""

from __future__ import annotations

from collections.abc import Iterator

from ir_core.loaders._base import FileFormat, Item, Options, Problem, SourceFile
from ir_core.loaders._decode import decode
from ir_core.loaders._json import read_lines, read_value


class JsonLines(FileFormat):
    name = "jsonl"
    label = "JSON Lines"
    summary = "One record per line."
    suffixes = (".jsonl", ".ndjson")

    def read(self, file: SourceFile, options: Options) -> Iterator[Item]:
        text, note = decode(file.data(options.max_file_bytes))
        if note:
            yield Problem(file.name, note, lost=False)
        reader = read_value if text.lstrip().startswith("[") else read_lines
        yield from reader(text, file.name, options)
