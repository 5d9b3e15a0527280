"""Where the time of each transform went: writing, encoding, searching, stacked, in milliseconds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ir_core.charts._labels import HEIGHT, over_bars
from ir_core.charts.palette import Palette, plain, quiet
from ir_core.schema import SearchResult

STAGES = ("Writing", "Encoding", "Searching")
PATTERNS = ("", "/", ".")
"""A second channel beside colour, so that the stages stay apart in grey and for colour-blind eyes."""


NEAR = 4
"""A budget line is drawn up to so many times the longest bar; further out it would squeeze the bars to nothing."""


def stage_seconds(result: SearchResult) -> tuple[float, float, float]:
    """Seconds of writing, encoding and searching (fusing and reranking are part of the search)."""
    trace = result.trace
    return trace.writer_s, trace.encode_s, trace.search_s + trace.fuse_s + trace.rerank_s


def rows(results: Sequence[SearchResult]) -> list[dict[str, object]]:
    """The figure as a table; times in milliseconds. ``queued`` is waiting for others and not in the total."""
    table: list[dict[str, object]] = []
    for result in results:
        writing, encoding, searching = (round(1_000 * part, 1) for part in stage_seconds(result))
        table.append(
            {
                "transform": result.formulation.title,
                "writing ms": writing,
                "encoding ms": encoding,
                "searching ms": searching,
                "total ms": round(1_000 * result.trace.latency_s, 1),
                "queued ms": round(1_000 * result.trace.queued_s, 1),
                "searches": result.trace.n_searches,
                "reused vectors": result.trace.reused_vectors,
                "texts": _kept(result),
            }
        )
    return table


def _kept(result: SearchResult) -> str:
    """Where texts come from that took no time now."""
    calls = result.formulation.calls
    return "recorded" if any(call.recorded for call in calls) else "cached" if any(c.cached for c in calls) else ""


def latency_figure(results: Sequence[SearchResult], palette: Palette, budget_s: float | None = None) -> Any:
    """Horizontal bars, the first result on top. Reused vectors, cached and recorded texts took no time and add none;
    the bar of such a text says so, since it is not what the first time took.

    :param budget_s: seconds a user may wait, drawn as a line unless it lies far beyond all bars.
    """
    import plotly.graph_objects as go

    names = [f"{number + 1}. {plain(result.formulation.title, 48)}" for number, result in enumerate(results)]
    parts = [stage_seconds(result) for result in results]
    figure = go.Figure()
    for stage, label in enumerate(STAGES):
        figure.add_bar(
            y=names,
            x=[1_000 * part[stage] for part in parts],
            name=label,
            orientation="h",
            marker={
                "color": palette.stages[stage],
                "pattern": {
                    "shape": PATTERNS[stage],
                    "fillmode": "overlay",
                    "fgcolor": palette.paper,
                    "size": 6,
                    "solidity": 0.25,
                },
                "line": {"color": palette.paper, "width": 1},
            },
            hovertemplate="%{y}<br>" + label + ": %{x:.1f} ms<extra></extra>",
        )
    totals = [1_000 * result.trace.latency_s for result in results]
    figure.add_scatter(
        y=names,
        x=totals,
        mode="text",
        text=[
            f" {total:,.0f} ms" + (f", text {kept}" if (kept := _kept(result)) else "")
            for total, result in zip(totals, results, strict=True)
        ],
        textposition="middle right",
        textfont={"color": palette.ink, "size": 13},
        hoverinfo="skip",
        showlegend=False,
        cliponaxis=False,
    )
    line = budget_s if budget_s and 1_000 * budget_s <= NEAR * max(totals, default=0.0) else None
    if line:
        figure.add_vline(x=1_000 * line, line={"color": palette.ink, "width": 2, "dash": "dash"})
        figure.add_annotation(
            x=1_000 * line,
            y=1,
            yref="paper",
            yanchor="bottom",
            text=f"budget {1_000 * line:,.0f} ms",
            showarrow=False,
            font={"size": 12, "color": palette.ink},
        )
    right = 150 if any(map(_kept, results)) else 64
    above = 20 if line else 0  # pixels for the line's word, under the legend
    plot = (30 + HEIGHT) * len(results) + 14
    quiet(figure, height=plot + 76 + above, margin=(8, right, 36 + above, 40))
    figure.update_layout(
        barmode="stack",
        bargap=0.62,
        showlegend=True,
        legend={
            "orientation": "h",
            "x": 0,
            "y": 1 + above / plot,
            "yanchor": "bottom",
            "traceorder": "normal",
            "title": None,
        },
        xaxis={"title": {"text": "milliseconds"}, "rangemode": "tozero", "fixedrange": True},
        yaxis={
            "range": [len(results) - 0.6, -0.7],
            "fixedrange": True,
            "tickfont": {"size": 13, "color": palette.ink},
        },
    )
    over_bars(figure, names, palette.ink)
    return figure
