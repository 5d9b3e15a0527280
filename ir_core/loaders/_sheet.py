"""A sheet of a workbook as rows of plain values, and what its XML says that openpyxl does not when it streams."""

from __future__ import annotations

import datetime
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

from ir_core.loaders import _registry
from ir_core.loaders._records import ID_COLUMNS, TEXT_COLUMNS, TITLE_COLUMNS, pick
from ir_core.loaders._xml import local

Row = tuple[int, list[Any]]
"""The row's number in the sheet, and its values up to the last one that is there."""
MAX_NAME_CHARS = 80
"""A longer text in a first row is a text, not a column's name."""
_LOOKED_AT = 5
"""Rows in which a header is looked for: above it often stand a title and a date."""
_WIDEST = 1_000


def in_rows(sheet: Any, max_cells: int, max_rows: int) -> tuple[list[Row], int, bool]:
    """The rows that hold something, how many cells these have, and whether that is all of the sheet.

    A formula's value is the result stored with it; nothing is computed.
    """
    sheet.reset_dimensions()  # a sheet may say that it is a million rows high
    rows: list[Row] = []
    total = 0
    for number, cells in enumerate(sheet.iter_rows(values_only=True), start=1):
        values = [_plain(cell) for cell in cells]
        while values and (values[-1] is None or values[-1] == ""):
            values.pop()
        if not values:
            continue
        total += len(values)
        if total > max_cells or len(rows) >= max_rows:
            return rows, total, False
        rows.append((number, values))
    return rows, total, True


def _plain(value: Any) -> Any:
    """A cell's value as JSON has it; a day without a time of day as a day."""
    if isinstance(value, datetime.datetime):
        return (value.date() if value.time() == datetime.time() else value).isoformat()
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return value if value is None or isinstance(value, str | int | float) else str(value)


def about_sheet(archive: zipfile.ZipFile, sheet: Any) -> tuple[list[str], list[str]]:
    """Ranges of merged cells ("A2:A4"), and cells with a formula whose result was never stored ("C4")."""
    from lxml import etree  # type: ignore[import-untyped]

    merged, unstored = [], []
    with archive.open(sheet._worksheet_path) as stream:
        walk = etree.iterparse(stream, tag=("{*}row", "{*}mergeCell"), resolve_entities=False, no_network=True)
        for _, tag in walk:
            if local(tag) == "mergeCell":
                merged.append(tag.get("ref", ""))
                continue
            for formula in tag.iterfind("{*}c/{*}f"):
                cell = formula.getparent()
                # A stored empty text is a result; a number without digits is none.
                if cell.get("t") != "str" and not cell.findtext("{*}v") and cell.find("{*}is") is None:
                    unstored.append(cell.get("r", "?"))
            tag.clear()
            while tag.getprevious() is not None:
                del tag.getparent()[0]
    return merged, unstored


def filled_down(rows: list[Row], merged: Sequence[str]) -> list[Row]:
    """The rows with the value of cells merged over several of them in each: people read it so."""
    from openpyxl.utils import range_boundaries

    place = {number: at for at, (number, _) in enumerate(rows)}
    left = 10 * len(rows) + 1_000  # ranges of a proper file do not overlap; those of a forged one might, a lot
    for ref in merged:
        try:
            column, first, _, last = range_boundaries(ref)
        except (ValueError, TypeError):
            continue
        at = place.get(first)
        if at is None or column > min(len(rows[at][1]), _WIDEST):
            continue
        value = rows[at][1][column - 1]
        while value is not None and left > 0 and (at := at + 1) < len(rows) and rows[at][0] <= last:
            left -= 1
            values = rows[at][1]
            values.extend([None] * (column - len(values)))
            if values[column - 1] is None:
                values[column - 1] = value
    return rows


def header_row(rows: Sequence[Row], text_column: str | None) -> int | None:
    """Which row names the columns, or None where none does.

    It has only texts, each once and short, over most of the width of the table; and it names a column by a usual
    name, or stands above a column that holds no text. Otherwise it may as well be the first of the texts.
    """
    width = max(_filled(cells) for _, cells in rows[:50])
    for at, (_, cells) in enumerate(rows[:_LOOKED_AT]):
        names = [cell for cell in cells if cell is not None]
        if at + 1 == len(rows) or 3 * len(names) < 2 * width:
            continue
        if not all(isinstance(name, str) and len(name) <= MAX_NAME_CHARS for name in names):
            continue
        if len({name.strip().casefold() for name in names}) < len(names):
            continue
        record: Mapping[str, Any] = dict.fromkeys(names, "")
        usual = any(pick(record, known) for known in (ID_COLUMNS, TITLE_COLUMNS, TEXT_COLUMNS))
        special = any(kind.strategy and kind.claims(record) for kind in _registry.kinds())
        if usual or special or text_column in record or _names_values(rows[at + 1 :], cells):
            return at
    return None


def _names_values(rows: Sequence[Row], header: Sequence[Any]) -> bool:
    """Whether some named column holds numbers only."""
    for column, name in enumerate(header):
        values = [cells[column] for _, cells in rows[:200] if column < len(cells) and cells[column] is not None]
        if name is not None and values and not any(isinstance(value, str) for value in values):
            return True
    return False


def _filled(cells: Sequence[Any]) -> int:
    return sum(cell is not None for cell in cells)
