"""The map: where the query, what was made of it, and what is looked for lie among the surfaces."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ir_core.analysis.projection import Ground
from ir_core.analysis.query_map import Placed, QueryMap, query_map
from ir_core.charts.query_map import query_map_figure
from ir_core.schema import SearchResult
from pages._ui import numbers, resources, safe
from pages._ui.theme import CHART, PALETTE
from pages.compare import wanted
from pages.compare.running import Asked
from pages.compare.setup import Ready

LABEL = "Map"
ORDER = 50


def show(ready: Ready, asked: Asked, results: Sequence[SearchResult]) -> None:
    ground, titles = resources.ground(ready.engine.index)
    relevant = wanted.judged(ready, asked.query)
    drawn = query_map(ready.engine, ground, results, st.session_state["expected"], relevant)
    _lead(ready, asked, ground, drawn)
    figure = query_map_figure(ground, titles, drawn, PALETTE)
    st.plotly_chart(
        figure,
        key="chart_map",
        config=CHART,
        alt=f"{numbers.count(len(drawn.placed), 'query', 'queries')} among {len(ground.rows):,} surfaces in two "
        "dimensions; the table below has the cosines",
    )
    safe.table(
        [_row(one) for one in drawn.placed],
        hide_index=True,
        column_config={"text": st.column_config.TextColumn(width="medium")},
        alt="Cosines of each query to the original, to the nearest surface, and to what is looked for",
    )
    if drawn.gold:
        safe.table(
            [
                {
                    "looked for": gold.title,
                    "as": "★ expected" if gold.expected else "■ judged relevant",
                    "cosine to the original": f"{gold.to_original:.2f}",
                    "x": f"{gold.x:.3f}",
                    "y": f"{gold.y:.3f}",
                }
                for gold in drawn.gold
            ],
            hide_index=True,
            alt="Surfaces of the documents that are looked for",
        )


def _lead(ready: Ready, asked: Asked, ground: Ground, drawn: QueryMap) -> None:
    if drawn.unread:
        safe.notice(
            "warning",
            f"{ready.engine.embedder.name} does not read {drawn.unread}, so these places are close to noise.",
        )
    explained = sum(ground.explained) if ground.explained else None
    said = (
        "All surfaces have the same vector, so there is nothing to spread out."
        if explained is None
        else f"Two of {len(ground.mean)} dimensions, with {explained:.0%} of the variance: what lies together here "
        "may be far apart in the others, so believe the cosines in the table."
    )
    if ground.is_sampled:
        of_all = f"{len(ground.rows):,} of the {ground.n_surfaces:,} surfaces"
        said += f" {of_all} were fitted and are drawn, sampled with a fixed seed."
    if drawn.words_only:
        written = numbers.count(drawn.words_only, "text is", "texts are")
        said += f" {written} searched by words only and not on the map."
    if asked.mode == "lexical":
        said += " This comparison searched words only; the places are where vectors would look."
    safe.draw(
        safe.block(
            f"{said} Grey: surfaces. Circle: the query as typed; diamond: a variant; hexagon: a hypothetical "
            "passage (open: passages of the corpus); triangles: sub-question and step-back; cross: a mean that is "
            "searched in their place. Outlined square: judged relevant; star: expected. Colour is the transform’s.",
            "qp-lead",
            "p",
        )
    )


def _row(one: Placed) -> dict[str, object]:
    return {
        "transform": f"{one.column + 1}. {one.title}",
        "query": one.query_id,
        "text": one.text,
        "to the original": f"{one.to_original:.2f}",
        "nearest surface": one.nearest,
        "to it": f"{one.to_nearest:.2f}",
        "to what is looked for": "–" if one.to_gold is None else f"{one.to_gold:.2f}",
        "x": f"{one.x:.3f}",
        "y": f"{one.y:.3f}",
    }
