"""What moved: each document's rank under every transform, drawn as lines from column to column."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ir_core.charts.palette import Palette, plain, quiet, wrap
from ir_core.schema import SearchResult

LEAVES = 0.3
"""How far beyond its last column a document's line goes on to the cross, in columns."""


@dataclass(frozen=True, slots=True)
class Line:
    """One document's way: ``ranks`` has one place per column, None where it is not among the first k. ``expected``
    and ``relevant`` are those somebody looks for."""

    artifact_id: str
    title: str
    ranks: tuple[int | None, ...]
    expected: bool
    relevant: bool = False

    @property
    def looked_for(self) -> bool:
        return self.expected or self.relevant

    @property
    def first(self) -> int:
        """The first column that has it."""
        return next(column for column, rank in enumerate(self.ranks) if rank is not None)

    @property
    def symbol(self) -> str:
        return "star" if self.expected else "diamond" if self.first else "circle"


def rank_lines(
    results: Sequence[SearchResult], k: int, expected: str | None = None, relevant: Collection[str] = ()
) -> list[Line]:
    """One per document that any transform put in its first ``k``: the original's order first, then by the best rank
    anywhere."""
    ranks: dict[str, dict[int, int]] = {}
    titles: dict[str, str] = {}
    for column, result in enumerate(results):
        for hit in result.fused.hits[:k]:
            ranks.setdefault(hit.artifact_id, {})[column] = hit.rank
            titles.setdefault(hit.artifact_id, hit.title)
    order = sorted(ranks, key=lambda name: (ranks[name].get(0, k + 1), min(ranks[name].values()), name))
    columns = range(len(results))
    return [
        Line(name, titles[name], tuple(map(ranks[name].get, columns)), name == expected, name in relevant)
        for name in order
    ]


def rank_flow_figure(
    results: Sequence[SearchResult],
    k: int,
    palette: Palette,
    expected: str | None = None,
    relevant: Collection[str] = (),
    names: Sequence[str] = (),
) -> Any:
    """Columns are transforms, the original's first; up is better.

    A line is strong where the document moves and faint where it stays; it ends in a cross where the document leaves
    the first k. Shape says what a document is: a circle was found by the original too, a diamond is new and named at
    its first place, a star is the expected one; thick lines are looked for. Colour says only which column a mark
    stands in.

    :param names: short names of the columns; the titles of what was made where there are none.
    """
    import plotly.graph_objects as go

    figure = go.Figure()
    lines = rank_lines(results, k, expected, relevant)
    for way in lines:
        for trace in (*_ways(way, palette), _ends(way, palette), _marks(way, k, palette)):
            figure.add_scatter(**trace)
    for way in lines:
        if way.first:
            figure.add_annotation(**_name(way, len(results), palette))
    quiet(figure, height=max(240, 80 + 52 * k), margin=(72, 24, 52, 8))
    titles = names or [result.formulation.title for result in results]
    figure.update_layout(
        xaxis={
            "tickmode": "array",
            "tickvals": list(range(len(results))),
            "ticktext": [f"{number + 1}. {wrap(title)}" for number, title in enumerate(titles)],
            "tickfont": {"size": 12, "color": palette.ink},
            "side": "top",
            "tickangle": 0,
            "range": [-0.3, len(results) - 0.5],
            "fixedrange": True,
            "showgrid": False,
            "zeroline": False,
        },
        yaxis={
            "tickmode": "array",
            "tickvals": list(range(1, k + 1)),
            "ticktext": _left_labels(lines, k),
            "tickfont": {"size": 12, "color": palette.ink},
            "automargin": True,
            "range": [k + 0.7, 0.4],
            "fixedrange": True,
            "zeroline": False,
        },
    )
    return figure


def _ways(way: Line, palette: Palette) -> list[dict[str, Any]]:
    """The line in three parts: where it moves, where it stays, and dotted over columns that do not have it."""
    moved, stays, absent = _Path(), _Path(), _Path()
    present = [column for column, rank in enumerate(way.ranks) if rank is not None]
    for here, there in pairwise(present):
        before, after = way.ranks[here], way.ranks[there]
        part = absent if there - here > 1 else stays if before == after else moved
        part.add((here, before), (there, after))
    styles: list[tuple[_Path, str, float, float, str]] = [
        (moved, palette.ink, 2.0, 0.8, "solid"),
        (stays, palette.ink if way.looked_for else palette.muted, 1.25, 0.45, "solid"),
        (absent, palette.muted, 1.25, 0.4, "dot"),
    ]
    return [
        {
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


def _ends(way: Line, palette: Palette) -> dict[str, Any]:
    """A short way on and a cross, wherever the next column does not have the document any more."""
    path = _Path()
    for column, (rank, after) in enumerate(pairwise(way.ranks)):
        if rank is not None and after is None:
            path.add((column, rank), (column + LEAVES, rank + LEAVES))
    return {
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


def _marks(way: Line, k: int, palette: Palette) -> dict[str, Any]:
    columns = [column for column, rank in enumerate(way.ranks) if rank is not None]
    ranks = [way.ranks[column] for column in columns]
    title = plain(way.title)
    return {
        "x": columns,
        "y": ranks,
        "name": title,
        "mode": "markers+text",
        "text": [str(rank) for rank in ranks],
        "textposition": "top center",
        "textfont": {"size": 11, "color": palette.ink},
        "marker": {
            "symbol": way.symbol,
            "size": 15 if way.expected else 11,
            "color": [palette.slot(column) for column in columns],
            "line": {"color": palette.paper, "width": 1.5},
        },
        "customdata": [[title, f"rank {rank}"] for rank in ranks],
        "hovertemplate": "%{customdata[0]}<br>%{customdata[1]}<extra></extra>",
    }


def _name(way: Line, n_columns: int, palette: Palette) -> dict[str, Any]:
    """A new document's name beside its first mark; the original's stand at the left."""
    last = way.first == n_columns - 1
    return {
        "x": way.first,
        "y": way.ranks[way.first],
        "text": wrap(way.title, 18),
        "showarrow": False,
        "xanchor": "right" if last else "left",
        "align": "right" if last else "left",
        "xshift": -11 if last else 11,
        "yanchor": "bottom",
        "font": {"size": 11, "color": palette.ink},
        "bgcolor": palette.paper,
        "opacity": 0.9,
        "borderpad": 1,
    }


def _left_labels(lines: Sequence[Line], k: int) -> list[str]:
    """The original's order, so that its lines can be followed from their names."""
    names = {line.ranks[0]: plain(line.title, 28) for line in lines if line.ranks[0]}
    return [f"{names.get(rank, '')}  {rank}" for rank in range(1, k + 1)]


class _Path:
    """Separate pieces of a line in one trace, with gaps between them."""

    def __init__(self) -> None:
        self.x: list[float | None] = []
        self.y: list[float | None] = []

    def add(self, start: tuple[float, float | None], end: tuple[float, float | None]) -> None:
        self.x += [start[0], end[0], None]
        self.y += [start[1], end[1], None]
