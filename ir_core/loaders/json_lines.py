"""JSON Lines: one record per line, or a session of Claude Code; a broken line is named and the others load."""

from __future__ import annotations

from collections.abc import Iterator

from ir_core.loaders._base import FileFormat, Item, Options, Problem, SourceFile
from ir_core.loaders._decode import decode
from ir_core.loaders._json import read_lines, read_value
from ir_core.loaders._transcript import is_transcript, read_transcript


class JsonLines(FileFormat):
    name = "jsonl"
    label = "JSON Lines"
    summary = "One record per line; the transcript of a Claude Code session becomes its turns."
    suffixes = (".jsonl", ".ndjson")

    def read(self, file: SourceFile, options: Options) -> Iterator[Item]:
        text, note = decode(file.data(options.max_file_bytes))
        if note:
            yield Problem(file.name, note, lost=False)
        if is_transcript(text):
            yield from read_transcript(text, file.name, options)
            return
        reader = read_value if text.lstrip().startswith("[") else read_lines
        yield from reader(text, file.name, options)
