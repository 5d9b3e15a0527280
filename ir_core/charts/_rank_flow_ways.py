"""One document's traces in the rank-flow: its line, where it ends, and its marks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from ir_core.analysis.rank_flow import Line
from ir_core.charts._rank_flow_lane import Lane
from ir_core.charts.palette import Palette, plain

LEAVES = 0.3
"""How far beyond its last column a document's line goes on to the cross, in columns."""

HOVER = "%{customdata[0]}<br>%{customdata[1]}<extra></extra>"
"""A title is data there, never a part of the template."""


def symbol(way: Line) -> str:
    if way.looked_for:
        return "star" if way.expected else "square"
    return "diamond" if way.first else "circle"


def ways(way: Line, lane: Lane, palette: Palette) -> list[dict[str, Any]]:
    """The line in three parts: where it moves, where it stays, and dotted over columns that did not retrieve it.
    Between two places below k only the line of a looked-for document is drawn."""
    moved, stays, absent = _Path(), _Path(), _Path()
    present = [column for column, place in enumerate(way.places) if place is not None]
    for here, there in pairwise(present):
        before, after = way.ranks[here], way.ranks[there]
        if before is None and after is None and not way.looked_for:
            continue
        part = absent if there - here > 1 else stays if before == after else moved
        part.add((here, lane.y(way, here)), (there, lane.y(way, there)))
    styles: list[tuple[_Path, str, float, float, str]] = [
        (moved, palette.ink, 2.0, 0.8, "solid"),
        (stays, palette.ink if way.looked_for else palette.muted, 1.25, 0.45, "solid"),
        (absent, palette.muted, 1.25, 0.4, "dot"),
    ]
    return [
        {
            "type": "scatter",
            "x": part.x,
            "y": part.y,
            "name": plain(way.title),
            "mode": "lines",
            "line": {"color": colour, "width": width + 2 if way.looked_for else width, "dash": dash},
            "opacity": 0.9 if way.looked_for else opacity,
            "hoverinfo": "skip",
        }
        for part, colour, width, opacity, dash in styles
        if part.x
    ]


def ends(way: Line, palette: Palette) -> dict[str, Any]:
    """A short way on and a cross, wherever the next column did not retrieve the document any more."""
    path = _Path()
    for column, rank in enumerate(way.ranks[:-1]):
        if rank is not None and way.places[column + 1] is None:
            path.add((column, rank), (column + LEAVES, rank + LEAVES))
    return {
        "type": "scatter",
        "x": path.x,
        "y": path.y,
        "name": plain(way.title),
        "mode": "lines+markers",
        "line": {"color": palette.ink, "width": 3.0 if way.looked_for else 1.5},
        "marker": {
            "symbol": "x-thin",
            "size": [0, 9, 0] * (len(path.x) // 3),
            "line": {"width": 2, "color": palette.ink},
        },
        "opacity": 0.8,
        "hoverinfo": "skip",
    }


def marks(way: Line, palette: Palette) -> dict[str, Any]:
    """Its places among the first k, with the rank and, for a looked-for document, the word."""
    columns = [column for column, rank in enumerate(way.ranks) if rank is not None]
    return {
        "type": "scatter",
        "name": plain(way.title),
        "x": columns,
        "customdata": [_said(way, column) for column in columns],
        "hovertemplate": HOVER,
        "y": [way.ranks[column] for column in columns],
        "mode": "markers+text",
        "text": [f"{way.ranks[column]} {way.mark}".strip() for column in columns],
        "textposition": "top center",
        "textfont": {"size": 11, "color": palette.ink},
        "marker": {
            "symbol": symbol(way),
            "size": 15 if way.expected else 12 if way.relevant else 11,
            "color": [palette.slot(column) for column in columns],
            "line": {"color": palette.ink if way.looked_for else palette.paper, "width": 1.5},
        },
    }


def lane_marks(lines: Sequence[Line], lane: Lane, palette: Palette, *, looked_for: bool) -> dict[str, Any]:
    """The places below k, of all documents at once: open marks with the real rank, which a crowded lane leaves to the
    hover box and the table unless somebody looks for the document."""
    below = [
        (way, column)
        for way in lines
        if way.looked_for is looked_for
        for column, place in enumerate(way.places)
        if place and place > way.k
    ]
    return {
        "type": "scatter",
        "name": f"below {lane.k}",
        "x": [column for _, column in below],
        "y": [lane.y(way, column) for way, column in below],
        "customdata": [_said(way, column) for way, column in below],
        "hovertemplate": HOVER,
        "mode": "markers+text" if looked_for or not lane.crowded else "markers",
        "text": [f"{way.places[column]} {way.mark}".strip() for way, column in below],
        "textposition": "bottom center",
        "textfont": {"size": 11, "color": palette.ink},
        "marker": {
            "symbol": [f"{symbol(way)}-open" for way, _ in below],
            "size": 12 if looked_for else 9,
            "color": [palette.slot(column) for _, column in below],
            "line": {"width": 2 if looked_for else 1.5},
        },
    }


def _said(way: Line, column: int) -> list[str]:
    """Title and words of one mark."""
    words = [f"rank {way.words(column)}", "judged relevant" if way.mark == "gold" else way.mark]
    return [plain(way.title), ", ".join(word for word in words if word)]


class _Path:
    """Separate pieces of a line in one trace, with gaps between them."""

    def __init__(self) -> None:
        self.x: list[float | None] = []
        self.y: list[float | None] = []

    def add(self, start: tuple[float, float | None], end: tuple[float, float | None]) -> None:
        self.x += [start[0], end[0], None]
        self.y += [start[1], end[1], None]
