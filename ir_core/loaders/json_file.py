"""JSON: a list of records, or a mapping from id to text or record."""

from __future__ import annotations

from collections.abc import Iterator

from ir_core.loaders._base import FileFormat, Item, Options, Problem, SourceFile
from ir_core.loaders._decode import decode
from ir_core.loaders._json import is_lines, read_lines, read_value


class JsonFile(FileFormat):
    name = "json"
    label = "JSON"
    summary = "A list of records, or a mapping from id to text or record."
    suffixes = (".json",)

    def read(self, file: SourceFile, options: Options) -> Iterator[Item]:
        text, note = decode(file.data(options.max_file_bytes))
        if note:
            yield Problem(file.name, note, lost=False)
        reader = read_lines if is_lines(text) else read_value
        yield from reader(text, file.name, options)
