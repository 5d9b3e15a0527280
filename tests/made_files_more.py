"""Office files, e-books and notebooks, made in memory for the tests of loaders."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.made_files import zipped

Rows = Sequence[Sequence[Any]]


def xlsx(change: Callable[[Any], None] | None = None, **sheets: Rows) -> bytes:
    """A workbook with these sheets; ``change`` is given it before it is saved. Formulas have no stored result."""
    import openpyxl

    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    if change:
        change(book)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def calculated(rows: Sequence[Sequence[Any]]) -> bytes:
    """A workbook as a spreadsheet program writes it: a cell (formula, result) has its result stored."""
    import xlsxwriter

    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream, {"in_memory": True}) as book:
        sheet = book.add_worksheet("Sheet1")
        for row, cells in enumerate(rows):
            for column, cell in enumerate(cells):
                if isinstance(cell, tuple):
                    sheet.write_formula(row, column, cell[0], None, cell[1])
                else:
                    sheet.write(row, column, cell)
    return stream.getvalue()


def changed(data: bytes, part: str, old: bytes, new: bytes) -> bytes:
    """The package with ``old`` replaced in one of its parts."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = [(name, archive.read(name)) for name in archive.namelist()]
    assert any(old in text for name, text in parts if name == part)
    return zipped(*((name, text.replace(old, new) if name == part else text) for name, text in parts))


def pptx(*slides: tuple[str, str], change: Callable[[Any], None] | None = None) -> bytes:
    """A title and a body on each slide."""
    from pptx import Presentation

    deck = Presentation()
    for title, body in slides:
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text, slide.placeholders[1].text = title, body
    if change:
        change(deck)
    stream = io.BytesIO()
    deck.save(stream)
    return stream.getvalue()


CONTAINER = """<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"""


def page(body: str, title: str = "") -> str:
    """An XHTML page; without a title it is ``<title/>``, which HTML's own rules would never close."""
    head = f"<title>{title}</title>" if title else "<title/>"
    return (
        f'<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml">'
        f"<head>{head}</head><body>{body}</body></html>"
    )


def epub(pages: Mapping[str, str | bytes], spine: Sequence[str] | None = None, *more: tuple[str, str]) -> bytes:
    """An e-book with these pages, in the order of ``spine`` (paths of pages)."""
    order = list(spine or pages)
    items = "".join(
        f'<item id="i{n}" href="{name}" media-type="application/xhtml+xml"/>' for n, name in enumerate(order)
    )
    refs = "".join(f'<itemref idref="i{n}"/>' for n in range(len(order)))
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>On bees</dc:title>'
        "<dc:creator>A. Keeper</dc:creator><dc:language>en</dc:language></metadata>"
        f"<manifest>{items}</manifest><spine>{refs}</spine></package>"
    )
    files = [(f"OEBPS/{name}", text) for name, text in pages.items()]
    return zipped(
        ("mimetype", "application/epub+zip"), ("META-INF/container.xml", CONTAINER), ("OEBPS/book.opf", package),
        *files, *more,
    )  # fmt: skip


def ipynb(*cells: Mapping[str, Any], version: int = 4, **more: Any) -> bytes:
    """A notebook of the fourth version, or of the third, which kept its cells in a worksheet."""
    if version == 3:
        book: dict[str, Any] = {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": cells}]}
    else:
        book = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}
    return json.dumps({**book, **more}).encode()


def code(source: str, *outputs: Mapping[str, Any]) -> dict[str, Any]:
    return {"cell_type": "code", "source": source, "metadata": {}, "execution_count": 1, "outputs": list(outputs)}


def prose(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "source": source.splitlines(keepends=True), "metadata": {}}
