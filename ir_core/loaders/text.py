"""Plain text, in any encoding."""

from __future__ import annotations

from collections.abc import Iterator

from ir_core.loaders._base import FileFormat, Item, Options, Problem, SourceFile
from ir_core.loaders._clean import is_blank
from ir_core.loaders._decode import decode
from ir_core.schema import Artifact


class Text(FileFormat):
    name = "text"
    label = "Plain text"
    summary = "One document per file."
    suffixes = (".txt", ".text", ".log", ".rst", "")

    def read(self, file: SourceFile, options: Options) -> Iterator[Item]:
        text, note = decode(file.data(options.max_file_bytes))
        if note:
            yield Problem(file.name, note, lost=False)
        if is_blank(text):
            yield Problem(file.name, "is blank and was left out; save it again with text in it")
        else:
            yield Artifact(file.name, text)
