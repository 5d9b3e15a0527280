"""Word documents: paragraphs and tables in their order (python-docx)."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ir_core.loaders._base import FileFormat, Item, Options, Problem, SourceFile
from ir_core.loaders._clean import clean_metadata, clean_text, is_blank
from ir_core.loaders._package import package
from ir_core.schema import Artifact

if TYPE_CHECKING:
    from docx.document import Document
    from docx.table import _Cell


class Word(FileFormat):
    name = "docx"
    label = "Word document"
    summary = "One document per file, its tables too."
    suffixes = (".docx",)

    def read(self, file: SourceFile, options: Options) -> Iterator[Item]:
        data = file.data(options.max_file_bytes)
        with package(data, options, "a Word document", self.suffixes[0]):
            import docx

            document = docx.Document(io.BytesIO(data))
            text = clean_text("\n".join(_lines(document))).strip()
            about = document.core_properties
            found = {"title": about.title, "author": about.author, "language": about.language}
        if is_blank(text):
            yield Problem(file.name, "holds no text and was left out; save it again with text in it")
            return
        yield Artifact(file.name, text, clean_metadata(found, options.unfit))


def _lines(container: Document | _Cell) -> Iterator[str]:
    """One line per paragraph and per table row, cells with a bar between them; a merged cell is given once."""
    for block in container.iter_inner_content():
        if hasattr(block, "text"):
            yield block.text
            continue
        for row in block.rows:
            cells = {cell._tc: cell for cell in row.cells}.values()
            texts = (" ".join(" ".join(_lines(cell)).split()) for cell in cells)
            line = " | ".join(text for text in texts if text)
            if line:
                yield line
