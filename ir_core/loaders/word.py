"""Word documents: paragraphs and tables in their order (python-docx)."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ir_core.errors import BadSource
from ir_core.loaders._archive import refuse_bomb
from ir_core.loaders._base import FileFormat, Item, Options, Problem, SourceFile
from ir_core.loaders._clean import clean_metadata, clean_text, is_blank
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
        import docx
        from docx.opc.exceptions import PackageNotFoundError

        data = file.data(options.max_file_bytes)
        if data.startswith(b"\xd0\xcf\x11\xe0"):
            raise BadSource("is encrypted, or an old .doc under another name; save it as .docx without a password")
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                refuse_bomb(archive.infolist(), options)
            document = docx.Document(io.BytesIO(data))
        except (zipfile.BadZipFile, PackageNotFoundError, KeyError, ValueError) as error:
            if isinstance(error, BadSource):
                raise
            raise BadSource(f"is not a Word document that can be read ({error}); save it again as .docx") from None
        text = clean_text("\n".join(_lines(document))).strip()
        if is_blank(text):
            yield Problem(file.name, "holds no text and was left out; save it again with text in it")
            return
        about = document.core_properties
        found = {"title": about.title, "author": about.author, "language": about.language}
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
