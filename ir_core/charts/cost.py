"""What each transform cost, in US dollars. A cost nobody knows is written as unknown, never drawn as 0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ir_core.charts._labels import HEIGHT, over_bars
from ir_core.charts.palette import Palette, plain, quiet


def cost_figure(
    costs: Sequence[tuple[str, float | None]], palette: Palette, notes: Sequence[str] | None = None
) -> Any:
    """:param costs: title and dollars of each transform, the original's first; None is unknown.
    :param notes: what stands behind each figure, such as what a cached text cost the first time.
    """
    import plotly.graph_objects as go

    names = [f"{number + 1}. {plain(title, 48)}" for number, (title, _) in enumerate(costs)]
    said = notes or [""] * len(costs)
    known = [cost for _, cost in costs if cost is not None]
    figure = go.Figure()
    figure.add_bar(
        y=names,
        x=[cost or 0.0 for _, cost in costs],
        orientation="h",
        marker={"color": [palette.slot(number) for number in range(len(costs))]},
        hoverinfo="skip",
    )
    figure.add_scatter(
        y=names,
        x=[cost or 0.0 for _, cost in costs],
        mode="text",
        text=[
            f" {_words(cost)}{f', {plain(note)}' if note else ''}"
            for (_, cost), note in zip(costs, said, strict=True)
        ],
        textposition="middle right",
        textfont={"color": palette.ink, "size": 13},
        hoverinfo="skip",
        cliponaxis=False,
    )
    quiet(figure, height=70 + (30 + HEIGHT) * len(costs), margin=(8, 200 if any(said) else 88, 12, 40))
    figure.update_layout(
        bargap=0.62,
        xaxis={
            "title": {"text": "US dollars"},
            "range": [0, max([*known, 0.0]) * 1.1 or 1],
            "showticklabels": bool(any(known)),
            "fixedrange": True,
        },
        yaxis={
            "range": [len(costs) - 0.6, -0.7],
            "fixedrange": True,
            "tickfont": {"size": 13, "color": palette.ink},
        },
    )
    over_bars(figure, names, palette.ink)
    return figure


def _words(cost: float | None) -> str:
    if cost is None:
        return "unknown"
    return plain(f"${cost:.6f}" if cost else "$0")
