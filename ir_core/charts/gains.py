"""A heat map of gains over the original: by category and transform, or by transform and query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ir_core.charts.palette import Palette, plain, quiet, wrap

STRENGTH = 0.42
"""Of the diverging scale over the ground: the strongest cell of either theme leaves its figure a contrast of 4.5."""
WORDS_UP_TO = 12
"""More columns have no room for words and figures; a table says them."""
TWO_LINES_UP_TO = 6
"""More columns have room for one line of a name, where it turns on end."""
FIRST = 0.16
"""Of as many columns that have no room, the share that the first takes beside them: it keeps its figure."""
ROW = 36
"""Pixels."""


def gains_figure(
    rows: Sequence[str],
    columns: Sequence[str],
    gains: Sequence[Sequence[float | None]],
    means: Sequence[Sequence[float | None]],
    palette: Palette,
) -> Any:
    """:param rows: what a row is, in full; ``columns`` the same, which turn on end where they have no room.
    :param gains: by row and column, the difference to the original; None where there is none, and the cell
        stays empty. The scale is symmetric about 0 and ends at the largest of them, .05 at least.
    :param means: what stands in the cells.
    """
    import plotly.graph_objects as go

    told = len(columns) <= WORDS_UP_TO
    reach = max([0.05, *(abs(value) for row in gains for value in row if value is not None)])
    first = 1.0 if told else max(1.0, FIRST * len(columns))
    figure = go.Figure(
        go.Heatmap(
            x=[-first, *range(len(columns))],  # edges
            y=list(range(len(rows))),
            z=[list(row) for row in gains],
            zmin=-reach,
            zmax=reach,
            zmid=0,
            text=[
                ["" if value is None or (place and not told) else _short(value) for place, value in enumerate(row)]
                for row in means
            ],
            texttemplate="%{text}",
            textfont={"size": 12, "color": palette.ink},
            opacity=STRENGTH,
            customdata=[
                [f"{plain(name)}<br>{plain(one)}<br>{_said(value)}" for one, value in zip(columns, row, strict=True)]
                for name, row in zip(rows, means, strict=True)
            ],
            hovertemplate="%{customdata}, %{z:+.3~f} to the original<extra></extra>",
            hoverongaps=False,
            xgap=2 if told else 0,
            ygap=2,
            showscale=False,
            colorscale=_scale(palette),
        )
    )
    quiet(figure, height=(168 if told else 108) + ROW * len(rows), margin=(8, 8, 48, 8))
    axis = {"tickmode": "array", "fixedrange": True, "showgrid": False, "zeroline": False}
    ticks = {"tickfont": {"size": 12, "color": palette.ink}}
    shown = columns if told else columns[:1]
    if not told:
        figure.add_vline(x=0, line={"width": 8, "color": palette.paper})
    figure.update_layout(
        xaxis={
            **axis, **ticks, "tickvals": [-first / 2, *(place - 0.5 for place in range(1, len(shown)))],
            "ticktext": [wrap(one, 17) if len(shown) <= TWO_LINES_UP_TO else plain(one, 18) for one in shown],
            "side": "top", "autotickangles": [0, -90], "automargin": True,
        },
        yaxis={
            **axis, **ticks, "tickvals": list(range(len(rows))), "ticktext": [wrap(one, 21) for one in rows],
            "autorange": "reversed", "automargin": True,
        },
    )  # fmt: skip
    return figure


def _scale(palette: Palette) -> list[list[object]] | None:
    last = len(palette.diverging) - 1
    return [[place / last, colour] for place, colour in enumerate(palette.diverging)] if last > 0 else None


def _short(value: float) -> str:
    """In at most four signs; above 1 it is of 100, a judge's."""
    return f"{value:.0f}" if value > 1 else f"{value:.2f}" if value >= 0.995 else f"{value:.2f}".removeprefix("0")


def _said(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}" if value <= 1 else f"{value:.1f}"
