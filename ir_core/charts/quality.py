"""Quality against what it takes: a dot per transform, and a line through those that none beats (the Pareto front)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ir_core.charts.palette import Palette, plain, quiet

HEIGHT = 330


def quality_figure(
    points: Sequence[tuple[str, float | None, float | None]],
    front: Sequence[int],
    x: str,
    y: str,
    palette: Palette,
) -> Any:
    """:param points: title, what it takes and quality of each transform, the original's first. One with an unknown is
        not drawn: the caller says so.
    :param front: places of those that none beats, in the order of what they take.
    :param x: what it takes, with its unit.
    """
    import plotly.graph_objects as go

    drawn = [number for number, (_, cost, value) in enumerate(points) if cost is not None and value is not None]
    figure = go.Figure()
    figure.add_scatter(
        x=[points[number][1] for number in front],
        y=[points[number][2] for number in front],
        mode="lines",
        line={"color": palette.muted, "width": 2, "dash": "dot"},
        hoverinfo="skip",
    )
    figure.add_scatter(
        x=[points[number][1] for number in drawn],
        y=[points[number][2] for number in drawn],
        mode="markers+text",
        text=[str(number + 1) for number in drawn],
        textposition=["top center" if number in front else "bottom center" for number in drawn],
        textfont={"size": 13, "color": palette.ink},
        cliponaxis=False,
        marker={
            "size": 13,
            "color": [palette.slot(number) for number in drawn],
            "symbol": ["circle" if number in front else "circle-open" for number in drawn],
            "line": {"width": 2, "color": [palette.slot(number) for number in drawn]},
        },
        customdata=[f"{number + 1}. {plain(points[number][0])}" for number in drawn],
        hovertemplate="%{customdata}<br>%{y:.3~f} · %{x:.3~g}<extra></extra>",
    )
    quiet(figure, height=HEIGHT, margin=(8, 24, 24, 44))
    words = {"tickfont": {"size": 12, "color": palette.ink}, "title_font": {"size": 13, "color": palette.ink}}
    most = max((points[number][1] or 0.0 for number in drawn), default=0.0)
    figure.update_layout(
        xaxis={
            **words, "title_text": plain(x), "range": [-0.06 * (most or 1), 1.12 * (most or 1)], "fixedrange": True,
            "zeroline": False, "exponentformat": "none", "nticks": 7,
        },
        yaxis={**words, "title_text": plain(y), "fixedrange": True, "nticks": 6, "range": _range(points, drawn)},
    )  # fmt: skip
    return figure


def _range(points: Sequence[tuple[str, float | None, float | None]], drawn: Sequence[int]) -> list[float] | None:
    """Room for the numbers above and below the dots, also where all are equally good."""
    values = [points[number][2] or 0.0 for number in drawn]
    if not values:
        return None
    low, high = min(values), max(values)
    room = 0.18 * (high - low) or 0.05 * (high or 1.0)
    return [low - room, high + room]
