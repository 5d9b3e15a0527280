"""What each list gave to each fused hit, stacked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ir_core.analysis.provenance import Provenance, Traced
from ir_core.charts._labels import HEIGHT, over_bars
from ir_core.charts.palette import Palette, isolated, plain, quiet

LEGS = {"dense": "dense", "lexical": "words"}
PATTERNS = {"dense": "", "lexical": "/"}
"""A second channel beside colour for the leg; the query's name stands in the hover box and the table."""


def provenance_figure(
    found: Provenance, palette: Palette, names: Mapping[str, str], chosen: str | None = None
) -> Any:
    """One horizontal bar per hit, the first on top, as long as its score; a segment per query and leg, as long as the
    share it gave. Colour says the query, hatching the words leg.

    :param names: of the queries, by id.
    :param chosen: a query: only its hits, its segments first and the other queries' faint.
    """
    import plotly.graph_objects as go

    hits = found.of(chosen)
    order = [finder.query.id for finder in found.finders]
    lists = dict.fromkeys(
        (query_id, leg)
        for query_id in order
        for leg in LEGS
        if any(part.share and (part.query_id, part.leg) == (query_id, leg) for one in hits for part in one.parts)
    )
    figure = go.Figure()
    for query_id, leg in sorted(lists, key=lambda one: one[0] != chosen):
        name = f"{plain(names[query_id], 30)}, {LEGS[leg]}"
        given = [_part(one, query_id, leg) for one in hits]
        figure.add_bar(
            y=list(range(len(hits))),
            x=[share for share, _ in given],
            name=name,
            orientation="h",
            opacity=1 if chosen in (None, query_id) else 0.25,
            marker={
                "color": palette.slot(order.index(query_id)),
                "pattern": {"shape": PATTERNS[leg], "fillmode": "overlay", "fgcolor": palette.paper, "size": 6,
                            "solidity": 0.25},
                "line": {"color": palette.paper, "width": 1},
            },
            customdata=[[name, said, plain(one.hit.title)] for one, (_, said) in zip(hits, given, strict=True)],
            hovertemplate="%{customdata[2]}<br>%{customdata[0]}: %{customdata[1]}<extra></extra>",
        )  # fmt: skip
    rows = (len(lists) + 2) // 3
    quiet(figure, height=84 + 24 * rows + (30 + HEIGHT) * len(hits), margin=(8, 16, 16 + 24 * rows, 44))
    figure.update_layout(
        barmode="stack",
        bargap=0.62,
        showlegend=bool(lists),
        legend={"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "traceorder": "normal", "title": None,
                "font": {"size": 12, "color": palette.ink}},
        xaxis={"title": {"text": "share of the fused score"}, "rangemode": "tozero", "fixedrange": True},
        yaxis={
            "tickmode": "array",
            "tickvals": list(range(len(hits))),
            "ticktext": [f"{one.hit.rank}. {isolated(plain(one.hit.title, 48))}" for one in hits],
            "tickfont": {"size": 13, "color": palette.ink},
            "range": [len(hits) - 0.6, -0.7],
            "fixedrange": True,
            "showgrid": False,
        },
    )  # fmt: skip
    over_bars(figure, figure.layout.yaxis.ticktext or (), palette.ink)
    return figure


def _part(one: Traced, query_id: str, leg: str) -> tuple[float, str]:
    """Share, and the words of the hover box."""
    part = next((part for part in one.parts if (part.query_id, part.leg) == (query_id, leg)), None)
    if part is None:
        return 0.0, ""
    percent = f", {part.share / one.hit.score:.0%} of the score" if one.hit.score else ""
    return part.share, f"rank {part.rank} there, share {part.share:.6f}{percent}"
