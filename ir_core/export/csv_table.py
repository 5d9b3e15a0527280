"""A table as a file for spreadsheets, which run a cell that starts like a formula."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def csv_file(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    """UTF-8 with a byte-order mark, without which spreadsheets take it for something else; None is an empty cell, and
    what looks like a formula is text."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(head)
    for row in rows:
        writer.writerow(["" if value is None else cell(value) for value in row])
    return ("\ufeff" + out.getvalue()).encode("utf-8", "replace")


def sound(value: object) -> str:
    """Text that can be sent: no control characters, no half characters."""
    return _CONTROL.sub("\ufffd", str(value).encode("utf-8", "replace").decode("utf-8"))


def is_formula(value: str) -> bool:
    """A spreadsheet would run it."""
    return sound(value).lstrip(" ").startswith(_FORMULA)


def cell(value: Any) -> Any:
    """An apostrophe in front makes a formula text; all but texts stay as they are."""
    if not isinstance(value, str):
        return value
    return f"'{sound(value)}" if is_formula(value) else sound(value)
