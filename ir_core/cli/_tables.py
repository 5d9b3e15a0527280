"""Text for a terminal. Documents are other people's: control characters in them are never passed on."""

from __future__ import annotations

import shutil
import unicodedata
from collections.abc import Sequence

Cell = str | int | float | None
UNKNOWN = "unknown"


def plain(text: str, width: int | None = None) -> str:
    """One line without control characters, cut to ``width`` columns."""
    line = " ".join("".join(c if unicodedata.category(c)[0] != "C" else " " for c in text).split())
    if width is None:
        return line
    used, end = 0, 0  # ``end``: the first character for which, beside the ellipsis, there is no room
    for place, char in enumerate(line):
        used += _columns(char)
        if used > width:
            return line[:end].rstrip() + "…"
        if used < width:
            end = place + 1
    return line


def columns(text: str) -> int:
    """Columns a terminal needs: two for a wide character, none for a mark."""
    return sum(map(_columns, text))


def _columns(char: str) -> int:
    return 0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1


def table(head: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """Columns side by side, numbers to the right; the last column is cut where the terminal ends. Without a terminal
    (or ``COLUMNS``) nothing is cut."""
    cells = [[plain(_cell(value)) for value in row] for row in rows]
    widths = [max(columns(line[i]) for line in [list(head), *cells]) for i in range(len(head))]
    numeric = [all(isinstance(row[i], int | float | None) for row in rows) for i in range(len(head))]
    if room := shutil.get_terminal_size((0, 0)).columns:
        widths[-1] = max(8, min(widths[-1], room - sum(widths[:-1]) - 2 * (len(head) - 1)))
    lines = [list(head), ["-" * width for width in widths], *cells]
    return "\n".join(
        "  ".join(_padded(text, widths[i], numeric[i]) for i, text in enumerate(line)).rstrip() for line in lines
    )


def _padded(text: str, width: int, right: bool) -> str:
    text = plain(text, width)
    space = " " * (width - columns(text))
    return space + text if right else text + space


def _cell(value: Cell) -> str:
    return UNKNOWN if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)


def seconds(value: float | None) -> str:
    if value is None:
        return UNKNOWN
    return f"{1_000 * value:.0f} ms" if value < 1 else f"{value:.1f} s"


def dollars(value: float | None) -> str:
    return UNKNOWN if value is None else "$0" if value == 0 else f"${value:.6f}".rstrip("0")


def signed(value: float | None) -> str:
    return UNKNOWN if value is None else f"{value:+.3f}"


def counted(count: int, what: str) -> str:
    """``1 document``, ``2,000 documents``."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def queries(count: int) -> str:
    return f"{count:,} {'query' if count == 1 else 'queries'}"
