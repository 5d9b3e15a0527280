"""Time as a Gantt chart: one row per transform, a lane for what runs at the same time, waits hatched."""

from __future__ import annotations

from typing import Any

from ir_core.analysis.timeline import Kind, Span, Timeline
from ir_core.charts._labels import over_bars
from ir_core.charts.palette import Palette, plain, quiet

KINDS: tuple[Kind, ...] = ("waiting", "writing", "looking first", "encoding", "searching")
HATCH = {"waiting": "x", "writing": "", "looking first": "\\", "encoding": "/", "searching": "."}
LANE = 22
"""Pixels of one lane."""


def gantt_figure(found: Timeline, palette: Palette) -> Any:
    """Milliseconds from the first start, the first transform on top."""
    import plotly.graph_objects as go

    offsets: list[int] = []
    row = 0
    for lanes in found.lanes:
        offsets.append(row)
        row += lanes + 1  # a gap between transforms
    by_kind = {kind: [span for span in found.spans if span.kind == kind] for kind in KINDS}
    layout = {
        "barmode": "overlay",
        "legend": {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "traceorder": "normal", "title": None},
        "xaxis": {"title": {"text": "milliseconds since the first start"}, "rangemode": "tozero", "fixedrange": True},
        "yaxis": {
            "tickmode": "array",
            "tickvals": offsets,
            "ticktext": [f"{number + 1}. {plain(title, 48)}" for number, title in enumerate(found.titles)],
            "range": [max(1, row) - 1.2, -1.6],
            "fixedrange": True,
            "zeroline": False,
            "showgrid": False,
            "tickfont": {"size": 13, "color": palette.ink},
        },
    }
    bars = [_bars(kind, spans, offsets, palette) for kind, spans in by_kind.items() if spans]
    figure = go.Figure({"data": bars, "layout": layout})
    quiet(figure, height=134 + LANE * max(4, row), margin=(8, 24, 60, 44))
    figure.update_layout(showlegend=True)
    over_bars(figure, figure.layout.yaxis.ticktext or (), palette.ink, offsets, shift=12)
    return figure


def _bars(kind: Kind, spans: list[Span], offsets: list[int], palette: Palette) -> dict[str, Any]:
    waiting = kind == "waiting"
    colour = {"writing": 0, "looking first": 1, "encoding": 1, "searching": 2}.get(kind)
    return {
        "type": "bar",
        "orientation": "h",
        "name": kind.capitalize(),
        "y": [offsets[span.column] + span.lane for span in spans],
        "x": [1_000 * span.seconds for span in spans],
        "base": [1_000 * span.start for span in spans],
        "width": 0.8,
        "marker": {
            "color": palette.paper if colour is None else palette.stages[colour],
            "pattern": {
                "shape": HATCH[kind],
                "fillmode": "overlay",
                "fgcolor": palette.muted if waiting else palette.paper,
                "size": 6,
                "solidity": 0.25,
            },
            "line": {"color": palette.muted if waiting else palette.paper, "width": 1},
        },
        "customdata": [
            [plain(span.label, 90), f"{1_000 * span.start:,.1f}", f"{1_000 * span.seconds:,.1f}"] for span in spans
        ],
        "hovertemplate": "%{customdata[0]}<br>from %{customdata[1]} ms, %{customdata[2]} ms long<extra></extra>",
    }
