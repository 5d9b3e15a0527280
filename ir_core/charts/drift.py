"""How far each written query is from the original, as dots on the cosine's scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ir_core.analysis.drift import CLOSE, FAR, SAME, Drift
from ir_core.charts._labels import over_bars
from ir_core.charts.palette import Palette, plain, quiet

ROW = 40
"""Pixels."""


def drift_figure(found: Sequence[tuple[int, Drift]], palette: Palette) -> Any:
    """:param found: each query with its transform's place among the columns (0 is the original's). What was not
    compared has no dot; an open circle repeats another query, a cross holds template text."""
    import plotly.graph_objects as go

    names = [f"{column + 1}. {plain(one.title, 26)} · {plain(one.query_id, 16)}" for column, one in found]
    compared = [number for number, (_, one) in enumerate(found) if one.similarity is not None]
    dots = {
        "type": "scatter",
        "x": [found[number][1].similarity for number in compared],
        "y": compared,
        "mode": "markers+text",
        "text": [f"  {found[number][1].similarity:.2f}" for number in compared],
        "textposition": "middle right",
        "textfont": {"size": 12, "color": palette.ink},
        "cliponaxis": False,
        "marker": {
            "symbol": [_shape(found[number][1]) for number in compared],
            "size": 12,
            "color": [palette.slot(found[number][0]) for number in compared],
            "line": {"width": 2, "color": [palette.slot(found[number][0]) for number in compared]},
        },
        "customdata": [
            [plain(found[number][1].text), plain(", ".join(found[number][1].verdicts))] for number in compared
        ],
        "hovertemplate": "%{customdata[0]}<br>%{customdata[1]}<extra></extra>",
    }
    lowest = min([0.0, *(found[number][1].similarity or 0.0 for number in compared)]) - 0.03
    layout = {
        "shapes": [_bound(at, palette) for at in (FAR, CLOSE, SAME)],
        "annotations": [
            _word(word, (left + right) / 2, palette)
            for word, left, right in (("far", lowest, FAR), ("moved", FAR, CLOSE), ("close", CLOSE, SAME))
        ]
        + [_word("same", SAME, palette, "left")],
        "xaxis": {
            "title": {"text": "cosine to the original"},
            "range": [lowest, 1.06],
            "fixedrange": True,
            "zeroline": False,
        },
        "yaxis": {
            "tickmode": "array",
            "tickvals": list(range(len(found))),
            "ticktext": names,
            "range": [len(found) - 0.5, -0.8],
            "fixedrange": True,
            "zeroline": False,
            "tickfont": {"size": 12, "color": palette.ink},
        },
    }
    figure = go.Figure({"data": [dots], "layout": layout})
    over_bars(figure, names, palette.ink, size=12)
    return quiet(figure, height=90 + ROW * max(2, len(found)), margin=(8, 48, 28, 44))


def _bound(at: float, palette: Palette) -> dict[str, Any]:
    line = {"color": palette.muted, "width": 1, "dash": "dot"}
    return {"type": "line", "x0": at, "x1": at, "y0": 0, "y1": 1, "yref": "paper", "line": line}


def _word(word: str, at: float, palette: Palette, anchor: str = "center") -> dict[str, Any]:
    """Above the part of the scale it names."""
    return {
        "text": word,
        "x": at,
        "y": 1,
        "yref": "paper",
        "xanchor": anchor,
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": 12, "color": palette.ink},
    }


def _shape(one: Drift) -> str:
    return "x-thin" if one.template else "circle-open" if one.duplicate_of else "circle"
