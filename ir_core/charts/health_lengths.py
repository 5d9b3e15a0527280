"""How long the surfaces are in tokens, with the embedder's limit as a line."""

from __future__ import annotations

from typing import Any

from ir_core.analysis.health import Bin, Lengths
from ir_core.charts.palette import Palette, quiet

HEIGHT = 280
TICKS = 8


def rows(lengths: Lengths) -> list[dict[str, Any]]:
    """What the figure shows, as a table; empty bins are left out."""
    total = sum(one.surfaces for one in lengths.bins)
    return [
        {
            "tokens": words(one),
            "surfaces": one.surfaces,
            "share": one.surfaces / total,
            "read": _read(one, lengths.limit),
        }
        for one in lengths.bins
        if one.surfaces
    ]


def words(one: Bin) -> str:
    if one.high is None:
        return f"{one.low:,} and more"
    return f"{one.low:,} to {one.high:,}" if one.high > one.low else f"{one.low:,}"


def _read(one: Bin, limit: int | None) -> str:
    if limit is None or (one.high is not None and one.high <= limit):
        return "whole"
    return "in part" if one.low > limit else "some in part"


def lengths_figure(lengths: Lengths, palette: Palette) -> Any:
    """Bars of surfaces by length; those beyond the limit are hatched. The last may be open to the right."""
    import plotly.graph_objects as go

    bins, limit = lengths.bins, lengths.limit
    beyond = [limit is not None and one.low > limit for one in bins]
    figure = go.Figure(
        go.Bar(
            x=[number + 0.5 for number in range(len(bins))],
            y=[one.surfaces for one in bins],
            width=0.92,
            marker={
                "color": [palette.stages[0] if far else palette.stages[1] for far in beyond],
                "pattern": {
                    "shape": ["/" if far else "" for far in beyond],
                    "fillmode": "overlay", "fgcolor": palette.paper, "size": 6, "solidity": 0.25,
                },
                "line": {"width": 0},
            },
            customdata=[words(one) for one in bins],
            hovertemplate="%{customdata} tokens<br>%{y:,} surfaces<extra></extra>",
        )
    )  # fmt: skip
    quiet(figure, height=HEIGHT, margin=(8, 16, 34, 48))
    place = _place(limit, bins)
    if place is not None:
        figure.add_vline(x=place, line={"color": palette.ink, "width": 2, "dash": "dash"})
        figure.add_annotation(
            x=place, y=1, yref="paper", yanchor="bottom", text=f"limit {limit:,}", showarrow=False,
            xanchor="left" if place < len(bins) / 4 else "right" if place > len(bins) * 3 / 4 else "center",
            font={"size": 12, "color": palette.ink},
        )  # fmt: skip
    step = max(1, -(-len(bins) // TICKS))
    shown = range(0, len(bins), step)
    figure.update_layout(
        xaxis={
            "title": {"text": "tokens"}, "range": [-0.2, len(bins) + 0.2], "fixedrange": True, "showgrid": False,
            "tickmode": "array", "tickvals": list(shown), "ticktext": [f"{bins[number].low:,}" for number in shown],
            "tickangle": 0, "zeroline": False,
        },
        yaxis={"title": {"text": "surfaces"}, "rangemode": "tozero", "fixedrange": True, "nticks": 5},
    )  # fmt: skip
    return figure


def _place(limit: int | None, bins: tuple[Bin, ...]) -> float | None:
    """Where the limit stands among the bars, None beyond them; in an open bar at its beginning."""
    for number, one in enumerate(bins):
        if limit is not None and one.low <= limit and one.high is None:
            return float(number)
        if limit is not None and one.high is not None and one.low <= limit <= one.high:
            return number + (limit - one.low + 1) / (one.high - one.low + 1)
    return None
