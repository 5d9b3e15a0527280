"""What moved: each document's rank under every transform, drawn as lines from column to column."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from ir_core.analysis.rank_flow import Line, rank_lines
from ir_core.charts._merging import merged
from ir_core.charts._rank_flow_lane import Lane
from ir_core.charts._rank_flow_ways import LEAVES, ends, lane_marks, marks, ways
from ir_core.charts.palette import Palette, isolated, plain, quiet, wrap
from ir_core.schema import SearchResult

__all__ = ["LEAVES", "rank_flow_figure", "rank_lines"]

ROOMY_K = 15
"""Up to so many places have room for titles of two lines; a longer list is drawn closer, in few traces, and what is
new is named in the hover box only."""


def rank_flow_figure(
    results: Sequence[SearchResult],
    k: int,
    palette: Palette,
    expected: str | None = None,
    relevant: Collection[str] = (),
    names: Sequence[str] = (),
) -> Any:
    """Columns are transforms, the original's first; up is better. Under the first k lies a lane of its own, for
    documents that a transform retrieved but ranked below k: the number there is the real rank.

    A line is strong where the document moves and faint where it stays; it ends in a cross where the next transform
    did not retrieve the document at all. Shape says what a document is: a circle was in the original's first k too, a
    diamond was not and is named at its first place, a square is judged relevant and a star expected; both of these
    have thick lines and their word beside the rank. Colour says only which column a mark stands in.

    :param names: short names of the columns; the titles of what was made where there are none.
    """
    import plotly.graph_objects as go

    lines = rank_lines(results, k, expected, relevant)
    row = 52 if k <= ROOMY_K else 30
    lane = Lane(lines, k, len(results), row)
    data = [trace for way in lines for trace in ways(way, lane, palette)]  # under all marks
    data += [ends(way, palette) for way in lines] + [marks(way, palette) for way in lines]
    data += [lane_marks(lines, lane, palette, looked_for=wanted) for wanted in (False, True)]
    data = [trace for trace in data if trace["x"]]
    roomy = k <= ROOMY_K
    named = [way for way in lines if way.first and roomy]
    titles = names or [result.formulation.title for result in results]
    # as one dictionary: added one by one, hundreds of traces would be checked against each other
    figure = go.Figure(
        {
            "data": data if roomy else merged(data),
            "layout": {
                "annotations": [_name(way, len(results), palette) for way in named],
                "shapes": lane.shapes(palette),
                "xaxis": {
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
                "yaxis": {
                    "tickmode": "array",
                    "tickvals": [*range(1, k + 1), *([lane.top] if lane else [])],
                    "ticktext": [*_left_labels(lines, k), *([f"below {k}"] if lane else [])],
                    "tickfont": {"size": 12, "color": palette.ink},
                    "automargin": True,
                    "range": [lane.bottom, 0.4],
                    "fixedrange": True,
                    "showgrid": False,
                    "zeroline": False,
                },
            },
        }
    )
    return quiet(figure, height=max(240, int(80 + row * (lane.bottom - 0.7))), margin=(72, 24, 52, 8))


def _name(way: Line, n_columns: int, palette: Palette) -> dict[str, Any]:
    """A new document's name beside its first mark; the original's stand at the left."""
    last = way.first == n_columns - 1
    return {
        "x": way.first,
        "y": way.ranks[way.first or 0],
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
    names = {line.ranks[0]: isolated(plain(line.title, 28)) for line in lines if line.ranks[0]}
    return [f"{names.get(rank, '')}  {rank}" for rank in range(1, k + 1)]
