"""What moved: every document's rank under every transform."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ir_core import charts
from ir_core.schema import SearchResult
from ir_core.transforms import TRANSFORMS
from pages._ui import safe
from pages._ui.theme import CHART, PALETTE
from pages.compare import wanted
from pages.compare.running import Asked
from pages.compare.setup import Ready

LABEL = "What moved"
ORDER = 10


def show(ready: Ready, asked: Asked, results: Sequence[SearchResult]) -> None:
    expected, relevant = st.session_state["expected"], wanted.judged(ready, asked.query)
    lines = charts.rank_lines(results, asked.k, expected, relevant)
    if not lines:
        safe.notice("info", "No transform found anything, so nothing can have moved.")
        return
    safe.draw(
        '<p class="qp-lead">Each line is a document, each column a transform: strong where the document moves, '
        "faint where it stays. A circle was found by the original too, a diamond is new, a cross is where a "
        f"document leaves the first {asked.k}. Thick: judged relevant; a star: the expected document.</p>"
    )
    with st.container(key="wide"):  # the table in it can be reached by keyboard, and moves the chart sideways
        names = [TRANSFORMS.get(result.formulation.transform).label for result in results]
        figure = charts.rank_flow_figure(results, asked.k, PALETTE, expected, relevant, names)
        st.plotly_chart(
            figure,
            key="chart_moved",
            config=CHART,
            alt=f"Ranks of {len(lines)} documents under {len(results)} transforms; the table below says the same",
        )
        columns = [f"{number + 1}. {name}" for number, name in enumerate(names)]
        table = [
            {
                "document": line.title,
                **{name: str(rank or "–") for name, rank in zip(columns, line.ranks, strict=True)},
            }
            for line in lines
        ]
        safe.table(
            table,
            hide_index=True,
            column_config={"document": st.column_config.TextColumn(width="large")},
            alt="Rank of each document under each transform; a dash means not among the first k",
        )
