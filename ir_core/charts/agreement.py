"""Agreement of every pair of transforms, as a heat map with its figures in the cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ir_core.analysis.agreement import Matrix
from ir_core.charts.palette import Palette, plain, quiet

STRENGTH = 0.36
"""Of the theme's scale over the ground: the strongest cell of either theme leaves its figure a contrast of 4.5."""


def agreement_figure(matrix: Matrix, names: Sequence[str], label: str, palette: Palette) -> Any:
    """One measure; the diagonal, which is always 1, is left out, and so is what could not be compared (None).

    The scale is the theme's, from 0 to 1, so that two figures can be compared.

    :param names: of the rows and columns, in the matrix' order, each different.
    """
    import plotly.graph_objects as go

    shown = [plain(name, 26) for name in names]
    numbers = [plain(name.split(".")[0], 4) for name in names]
    values = [[None if i == j else value for j, value in enumerate(row)] for i, row in enumerate(matrix)]
    figure = go.Figure(
        go.Heatmap(
            x=list(range(len(names))),
            y=list(range(len(names))),
            z=values,
            zmin=0,
            zmax=1,
            text=[[_short(value) for value in row] for row in values],
            texttemplate="%{text}",
            textfont={"size": 12, "color": palette.ink},
            opacity=STRENGTH,
            customdata=[[f"{one} and {other}" for other in shown] for one in shown],
            hovertemplate="%{customdata}<br>%{text}<extra></extra>",
            hoverongaps=False,
            xgap=2,
            ygap=2,
            showscale=False,
        )
    )
    axis = {
        "tickmode": "array",
        "tickvals": list(range(len(names))),
        "fixedrange": True,
        "showgrid": False,
        "zeroline": False,
        "tickfont": {"size": 12, "color": palette.ink},
    }
    quiet(figure, height=96 + 44 * len(names), margin=(8, 8, 64, 8))
    figure.update_layout(
        title={"text": plain(label), "font": {"size": 14, "color": palette.ink}},
        xaxis={**axis, "ticktext": numbers, "side": "top"},
        yaxis={**axis, "ticktext": shown, "autorange": "reversed", "automargin": True},
    )
    return figure


def _short(value: float | None) -> str:
    """Two digits that fit a cell on a narrow screen; only full agreement is written as 1."""
    if value is None:
        return ""
    if value > 1 - 1e-9 or value < 0.005:
        return f"{value:.0f}"
    return f"{min(value, 0.99):.2f}".removeprefix("0")
