"""How alike several passages are: their cosines as a grid of numbers on shades."""

from __future__ import annotations

from typing import Any

from ir_core.analysis.samples import Samples
from ir_core.charts.palette import Palette, plain, quiet


def samples_figure(found: Samples, palette: Palette) -> Any:
    """Rows and columns are the passages. Each cell says its cosine, so that no shade has to be read."""
    import plotly.graph_objects as go

    names = [str(number) for number, _ in enumerate(found.samples, start=1)]
    label = {
        "type": "category",
        "title": {"text": "passage"},
        "fixedrange": True,
        "showgrid": False,
        "tickfont": {"size": 12, "color": palette.ink},
    }
    cells = {
        "type": "heatmap",
        "z": [list(row) for row in found.cosines],
        "x": names,
        "y": names,
        "zmin": 0.0,
        "zmax": 1.0,
        "colorscale": [[0.0, palette.paper], [1.0, palette.stages[2]]],
        "showscale": False,
        "xgap": 2,
        "ygap": 2,
        "text": [[f"{value:.2f}" for value in row] for row in found.cosines],
        "texttemplate": "%{text}",
        "textfont": {"color": palette.ink, "size": 13},
        "customdata": [[[plain(one.text), plain(other.text)] for other in found.samples] for one in found.samples],
        "hovertemplate": "%{customdata[0]}<br>%{customdata[1]}<br>cosine %{text}<extra></extra>",
    }
    axes = {"xaxis": {**label, "side": "top"}, "yaxis": {**label, "autorange": "reversed", "automargin": True}}
    figure = go.Figure({"data": [cells], "layout": axes})
    return quiet(figure, height=106 + 40 * len(names), margin=(8, 8, 52, 8))
