"""What moved: each document's rank under every transform, drawn as lines from column to column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ir_core.charts.palette import Palette, plain, quiet, wrap
from ir_core.schema import SearchResult


@dataclass(frozen=True, slots=True)
class Line:
    """One document's way: ``ranks`` has one place per column, None where it is not among the first k."""

    artifact_id: str
    title: str
    ranks: tuple[int | None, ...]
    expected: bool


def rank_lines(results: Sequence[SearchResult], k: int, expected: str | None = None) -> list[Line]:
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
    return [Line(name, titles[name], tuple(map(ranks[name].get, columns)), name == expected) for name in order]


def rank_flow_figure(results: Sequence[SearchResult], k: int, palette: Palette, expected: str | None = None) -> Any:
    """Columns are transforms, the original's first; up is better; below the line is "not in the first k".

    Shape says what a document is: a circle was found by the original too, a diamond is new, a star is the expected
    one. Colour says only which column a mark stands in.
    """
    import plotly.graph_objects as go

    below = k + 1
    figure = go.Figure()
    lines = rank_lines(results, k, expected)
    for way in lines:
        ranks, wanted = way.ranks, way.expected
        kept, title = ranks[0] is not None, plain(way.title)
        place = {"x": list(range(len(results))), "y": [rank or below for rank in ranks], "name": title}
        figure.add_scatter(
            **place,
            mode="lines",
            line={
                "color": palette.ink if wanted else palette.muted,
                "width": 3 if wanted else 1.5,
                "dash": "solid" if kept or wanted else "dot",
            },
            opacity=1 if wanted else 0.55,
            hoverinfo="skip",
        )
        figure.add_scatter(
            **place,
            mode="markers+text",
            text=["" if rank is None else str(rank) for rank in ranks],
            textposition="top center",
            textfont={"size": 11, "color": palette.ink},
            marker={
                "symbol": "star" if wanted else "circle" if kept else "diamond",
                "size": [5 if rank is None else 15 if wanted else 11 for rank in ranks],
                "color": [
                    palette.muted if rank is None else palette.slot(column) for column, rank in enumerate(ranks)
                ],
                "line": {"color": palette.paper, "width": 1.5},
            },
            customdata=[[title, _place(rank, k)] for rank in ranks],
            hovertemplate="%{customdata[0]}<br>%{customdata[1]}<extra></extra>",
        )
    figure.add_hline(y=k + 0.5, line={"color": palette.muted, "width": 1, "dash": "dash"})
    quiet(figure, height=max(240, 110 + 44 * below), margin=(72, 24, 52, 8))
    figure.update_layout(
        xaxis={
            "tickmode": "array",
            "tickvals": list(range(len(results))),
            "ticktext": [wrap(result.formulation.title) for result in results],
            "tickfont": {"size": 12, "color": palette.ink},
            "side": "top",
            "tickangle": 0,
            "range": [-0.3, len(results) - 0.7],
            "fixedrange": True,
            "showgrid": False,
        },
        yaxis={
            "tickmode": "array",
            "tickvals": [*range(1, below), below],
            "ticktext": [*_left_labels(lines, below), f"not in {k}"],
            "tickfont": {"size": 12, "color": palette.ink},
            "automargin": True,
            "range": [below + 0.5, 0.4],
            "fixedrange": True,
            "zeroline": False,
        },
    )
    return figure


def _left_labels(lines: Sequence[Line], below: int) -> list[str]:
    """The original's order, so that its lines can be followed from their names."""
    names = {line.ranks[0]: plain(line.title, 28) for line in lines if line.ranks[0]}
    return [f"{names.get(rank, '')}  {rank}" for rank in range(1, below)]


def _place(rank: int | None, k: int) -> str:
    return f"not in the first {k}" if rank is None else f"rank {rank}"
