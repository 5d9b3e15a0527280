"""Excel workbooks: sheets with a header as records, others as text (openpyxl, streaming; nothing is computed)."""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ir_core.loaders._base import FileFormat, Item, Options, Problem, SourceFile
from ir_core.loaders._clean import clean_name, clean_text, is_blank
from ir_core.loaders._package import package
from ir_core.loaders._records import read_records
from ir_core.loaders._sheet import Row, about_sheet, filled_down, header_row, in_rows
from ir_core.loaders.tables import MAX_COLUMNS, as_records, header_names, wider
from ir_core.schema import Artifact

MAX_CELLS = 1_000_000
"""Of a workbook: 45 seconds on a busy machine, and 240 MB while they are read."""


class Spreadsheet(FileFormat):
    name = "xlsx"
    label = "Excel workbook"
    summary = "One record per row of a sheet with a header, else one document per sheet; hidden sheets are left out."
    suffixes = (".xlsx", ".xlsm")

    def read(self, file: SourceFile, options: Options) -> Iterator[Item]:
        data = file.data(options.max_file_bytes)
        with package(data, options, "an Excel workbook", self.suffixes[0]) as archive:
            import openpyxl

            warnings.filterwarnings("ignore", module="openpyxl")  # on drawings and styles, which nobody reads here
            book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
            alone, left, found = len(book.worksheets) == 1, MAX_CELLS, False
            for sheet in book.worksheets:
                name = file.name if alone else f"{file.name}/{clean_name(sheet.title)}"
                if sheet.sheet_state != "visible":
                    yield Problem(name, "is a hidden sheet and was left out; show it to have it read")
                    continue
                if left <= 0:
                    yield Problem(name, f"was left out: of a workbook {MAX_CELLS:,} cells are read")
                    continue
                rows, cells, is_whole = in_rows(sheet, left, options.max_documents + 2)
                left -= cells
                if not is_whole:
                    last = rows[-1][0] if rows else 0
                    yield Problem(name, f"was read up to row {last:,}; split the sheet to have the rest read")
                for item in _sheet(archive, sheet, rows, name, options):
                    found = True
                    yield item if alone or isinstance(item, Problem) else _of_sheet(item, sheet.title)
            if not found:
                yield Problem(file.name, "has no sheet with anything in it and was left out; save it again with text")


def _of_sheet(artifact: Artifact, title: str) -> Artifact:
    return replace(artifact, metadata={"sheet": clean_text(title), **artifact.metadata})


def _sheet(archive: zipfile.ZipFile, sheet: Any, rows: list[Row], name: str, options: Options) -> Iterator[Item]:
    merged, unstored = about_sheet(archive, sheet)
    if unstored:
        listed = ", ".join(unstored[:5]) + (" …" if len(unstored) > 5 else "")
        one = len(unstored) == 1
        named = "1 formula" if one else f"{len(unstored):,} formulas"
        what = f"{named} without a stored result, which {'is' if one else 'are'} left blank: {listed}"
        yield Problem(name, f"has {what}; open it in a spreadsheet program and save it there to have them")
    if not rows:
        yield Problem(name, "is an empty sheet")
        return
    rows = filled_down(rows, merged)
    start = header_row(rows, options.text_column)
    if start is None:
        text = "\n".join(_line(cells) for _, cells in rows)
        if is_blank(text):
            yield Problem(name, "is a sheet without text and was left out")
        else:
            yield Artifact(name, clean_text(text), {"title": clean_text(sheet.title)})
        return
    if start:
        above = " · ".join(_line(cells) for _, cells in rows[:start])[:100]
        yield Problem(name, f"has lines above its header (row {rows[start][0]}), which were left out: {above!r}")
    header = header_names(["" if cell is None else str(cell) for cell in rows[start][1]])
    if len(header) > MAX_COLUMNS:
        yield Problem(name, f"has {len(header):,} columns; {MAX_COLUMNS:,} can be read. Is it a table?")
        return
    yield from wider(rows[start + 1 :], header, name, "row")
    yield from read_records(as_records(rows[start + 1 :], header, name, "row"), name, options)


def _line(cells: Sequence[Any]) -> str:
    """A row as text, with a bar between its cells."""
    texts = (" ".join(str(cell).split()) for cell in cells if cell is not None)
    return " | ".join(text for text in texts if text)
