"""The map: surfaces as quiet points, the query, what was made of it, and what is looked for, by shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ir_core.analysis.projection import Ground
from ir_core.analysis.query_map import Placed, QueryMap
from ir_core.charts.palette import Palette, plain, quiet

SHAPES = {
    "original": "circle",
    "hypothetical": "hexagon",
    "feedback": "hexagon-open",
    "centroid": "cross",
    "sub_question": "triangle-up",
    "step_back": "triangle-down",
}
"""By role; what is not named here is a variant of the query."""
FEW = 2_000
"""Up to so many surfaces have room for larger points."""
VARIANT, RELEVANT, EXPECTED = "diamond", "square", "star"


def hover_titles(ground: Ground) -> NDArray[np.object_]:
    """The surfaces' hover texts (n,), escaped. As slow as the ground is large: to be made once and kept."""
    return np.array([plain(title) for title in ground.titles], dtype=object)


def shape(role: str) -> str:
    return SHAPES.get(role, VARIANT)


def query_map_figure(ground: Ground, titles: NDArray[np.object_], drawn: QueryMap, palette: Palette) -> Any:
    """One unit is as long on both axes, so that distances on the map can be compared.

    :param titles: what :func:`hover_titles` gives.
    """
    import plotly.graph_objects as go

    columns = sorted({one.column for one in drawn.placed})
    traces = [_surfaces(ground, titles, palette)]
    traces += [_ways(drawn, palette)] if drawn.placed else []
    traces += [_gold(drawn, palette)] if drawn.gold else []
    traces += [_points([one for one in drawn.placed if one.column == column], palette) for column in columns]
    axis = {"showticklabels": False, "showgrid": False, "zeroline": False, "fixedrange": True, "automargin": True}
    first, second = ground.explained or (None, None)
    layout = {
        "xaxis": {**axis, "title": {"text": _axis(1, first)}},
        "yaxis": {**axis, "title": {"text": _axis(2, second)}, "scaleanchor": "x", "scaleratio": 1},
        "legend": {"orientation": "h", "x": 0, "y": -0.08, "yanchor": "top", "title": None, "itemclick": False},
    }
    # as one dictionary: with traces added one by one, all 20,000 points would be copied each time
    figure = quiet(go.Figure({"data": traces, "layout": layout}), height=600)
    figure.update_layout(showlegend=True)
    return figure


def _surfaces(ground: Ground, titles: NDArray[np.object_], palette: Palette) -> dict[str, Any]:
    """By WebGL, which draws 20,000 points without effort."""
    return {
        "type": "scattergl",
        "x": ground.points[:, 0],
        "y": ground.points[:, 1],
        "name": "surfaces",
        "mode": "markers",
        "customdata": titles,
        "marker": {"size": 5 if len(ground.rows) < FEW else 3, "color": palette.muted, "opacity": 0.5},
        "hovertemplate": "%{customdata}<extra></extra>",
    }


def _gold(drawn: QueryMap, palette: Palette) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": [gold.x for gold in drawn.gold],
        "y": [gold.y for gold in drawn.gold],
        "name": "looked for",
        "mode": "markers",
        "marker": {
            "symbol": [EXPECTED if gold.expected else RELEVANT for gold in drawn.gold],
            "size": 15,
            "color": palette.paper,
            "line": {"color": palette.ink, "width": 2},
        },
        "customdata": [
            [plain(gold.title), "expected" if gold.expected else "judged relevant", f"{gold.to_original:.2f}"]
            for gold in drawn.gold
        ],
        "hovertemplate": "%{customdata[0]}<br>%{customdata[1]}<br>cosine to the original %{customdata[2]}"
        "<extra></extra>",
    }


def _axis(number: int, explained: float | None) -> str:
    return f"component {number}" + (f" ({explained:.1%} of the variance)" if explained is not None else "")


def _ways(drawn: QueryMap, palette: Palette) -> dict[str, Any]:
    """From the original to each query made of it."""
    start, *rest = drawn.placed
    return {
        "type": "scatter",
        "x": [value for one in rest for value in (start.x, one.x, None)],
        "y": [value for one in rest for value in (start.y, one.y, None)],
        "mode": "lines",
        "line": {"color": palette.muted, "width": 1},
        "opacity": 0.6,
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _points(points: Sequence[Placed], palette: Palette) -> dict[str, Any]:
    first = points[0]
    return {
        "type": "scatter",
        "x": [one.x for one in points],
        "y": [one.y for one in points],
        "name": f"{first.column + 1}. {plain(first.title, 28)}",
        "mode": "markers",
        "opacity": 1.0,
        "marker": {
            "symbol": [shape(one.role) for one in points],
            "size": [16 if one.role == "original" else 12 for one in points],
            "color": palette.slot(first.column),
            "line": {"color": palette.paper, "width": 1.5},
        },
        "customdata": [[plain(one.text), plain(one.query_id), f"{one.to_original:.2f}"] for one in points],
        "hovertemplate": "%{customdata[0]}<br>%{customdata[1]}<br>cosine to the original %{customdata[2]}"
        "<extra></extra>",
    }
