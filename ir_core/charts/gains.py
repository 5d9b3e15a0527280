"""A heat map of gains over the original: by category and transform, or by transform and query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ir_core.charts.palette import Palette, plain, quiet

STRENGTH = 0.42
"""Of the diverging scale over the ground: the strongest cell of either theme leaves its figure a contrast of 4.5."""
WORDS_UP_TO = 12
"""More columns have no room for words and figures; a table says them."""
ROW = 36
"""Pixels."""


def gains_figure(
    rows: Sequence[str],
    columns: Sequence[str],
    gains: Sequence[Sequence[float | None]],
    means: Sequence[Sequence[float | None]],
    palette: Palette,
) -> Any:
    """:param rows: what a row is, in full; ``columns`` the same, of which "1. Rewrite" is headed "1".
    :param gains: by row and column, the difference to the original; None where there is none, and the cell
        stays empty. The scale is symmetric about 0 and ends at the largest of them, .05 at least.
    :param means: what stands in the cells.
    """
    import plotly.graph_objects as go

    told = len(columns) <= WORDS_UP_TO
    reach = max([0.05, *(abs(value) for row in gains for value in row if value is not None)])
    figure = go.Figure(
        go.Heatmap(
            x=list(range(len(columns))),
            y=list(range(len(rows))),
            z=[list(row) for row in gains],
            zmin=-reach,
            zmax=reach,
            zmid=0,
            text=[["" if value is None or not told else _short(value) for value in row] for row in means],
            texttemplate="%{text}",
            textfont={"size": 12, "color": palette.ink},
            opacity=STRENGTH,
            customdata=[[f"{plain(name)}<br>{plain(column)}" for column in columns] for name in rows],
            hovertemplate="%{customdata}<br>%{z:+.3f}<extra></extra>",
            hoverongaps=False,
            xgap=2 if told else 0,
            ygap=2,
            showscale=False,
            colorscale=_scale(palette),
        )
    )
    quiet(figure, height=76 + ROW * len(rows), margin=(8, 8, 48, 8))
    axis = {"tickmode": "array", "fixedrange": True, "showgrid": False, "zeroline": False}
    ticks = {"tickfont": {"size": 12, "color": palette.ink}}
    shown = range(len(columns)) if told else range(min(1, len(columns)))
    figure.update_layout(
        xaxis={
            **axis, **ticks, "tickvals": list(shown), "ticktext": [_head(columns[one]) for one in shown],
            "side": "top", "tickangle": 0,
        },
        yaxis={
            **axis, **ticks, "tickvals": list(range(len(rows))), "ticktext": [plain(one, 26) for one in rows],
            "autorange": "reversed", "automargin": True,
        },
    )  # fmt: skip
    return figure


def _scale(palette: Palette) -> list[list[object]] | None:
    last = len(palette.diverging) - 1
    return [[place / last, colour] for place, colour in enumerate(palette.diverging)] if last > 0 else None


def _head(name: str) -> str:
    """Only the number of a numbered name, so that ten columns fit a narrow screen."""
    number, dot, _ = name.partition(". ")
    return number if dot and number.isdecimal() else plain(name, 16)


def _short(value: float) -> str:
    return f"{value:.2f}" if value >= 0.995 else f"{value:.2f}".removeprefix("0")
