"""Colours a figure is drawn in. The caller brings them, so that a figure follows the theme it is shown in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Palette:
    """``slots``: one colour per column of the comparison, the original's first. ``stages``: writing, encoding,
    searching. ``ink`` is for what must be read, ``muted`` for what must only be there, ``paper`` is the ground.
    ``diverging``: from the worst loss to the best gain; without it a figure has plotly's own scale."""

    slots: tuple[str, ...]
    stages: tuple[str, str, str]
    ink: str
    muted: str
    paper: str
    diverging: tuple[str, ...] = ()

    def slot(self, number: int) -> str:
        return self.slots[number % len(self.slots)]


def plain(text: object, limit: int = 60) -> str:
    """Text for a label or a hover box: plotly reads pseudo-HTML there, so markup is escaped; cut at ``limit``."""
    line = " ".join(str(text).split())
    short = line if len(line) <= limit else line[: limit - 1].rstrip() + "…"
    return short.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("$", "&#36;")


def isolated(text: str) -> str:
    """Words of any direction that do not turn what stands around them (Unicode's first strong isolate)."""
    return f"\u2068{text}\u2069"


def wrap(text: str, width: int = 14, lines: int = 2) -> str:
    """A label broken over at most ``lines`` lines, escaped."""
    kept: list[str] = [""]
    for word in text.split():
        if kept[-1] and len(kept[-1]) + len(word) >= width:
            kept.append("")
        kept[-1] = f"{kept[-1]} {word}".strip()
    if len(kept) > lines:
        kept = [*kept[: lines - 1], " ".join(kept[lines - 1 :])]
    return "<br>".join(plain(line, width + 6) for line in kept)


def quiet(figure: Any, height: int, margin: Sequence[int] = (8, 8, 8, 8)) -> Any:
    """The layout all figures share. ``margin`` is left, right, top, bottom in pixels."""
    left, right, top, bottom = margin
    figure.update_layout(
        height=height,
        margin={"l": left, "r": right, "t": top, "b": bottom},
        showlegend=False,
        hoverlabel={"align": "left"},
        dragmode=False,
    )
    return figure
