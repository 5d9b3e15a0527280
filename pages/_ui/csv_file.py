"""A table as a file for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from pages._ui import safe


def csv_file(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    """UTF-8 with a byte-order mark, without which spreadsheets take it for something else; None is an empty cell, and
    what looks like a formula is text."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(head)
    for row in rows:
        writer.writerow(["" if value is None else safe.cell(value) for value in row])
    return ("\ufeff" + out.getvalue()).encode("utf-8", "replace")
