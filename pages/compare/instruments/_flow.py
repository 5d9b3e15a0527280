"""A rank-flow chart and its table, for lists other than the transforms of one comparison."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import streamlit as st

from ir_core import charts
from ir_core.analysis.rank_flow import rank_lines, said, tally
from ir_core.schema import SearchResult
from pages._ui import safe
from pages._ui.theme import CHART, PALETTE

WIDTHS = {
    "document": st.column_config.TextColumn(width="large"),
    "looked for": st.column_config.TextColumn(width=150),
}
MARKS = {"expected": "★ expected", "gold": "■ judged relevant", "": ""}


def flow(
    results: Sequence[SearchResult],
    names: Sequence[str],
    k: int,
    *,
    key: str,
    expected: str | None,
    relevant: Collection[str],
) -> None:
    """``names`` head the columns of both, numbered; the first list is the one the others are told against."""
    found = rank_lines(results, k, expected, relevant)
    if not found:
        safe.notice("info", "None of these lists holds anything, so nothing can have moved.")
        return
    if len(results) == 2:
        safe.draw(safe.block(f"From “{names[0]}” to “{names[1]}”: {said(tally(found, 1))}.", "qp-lead", "p"))
    columns = [f"{number}. {name}" for number, name in enumerate(names, start=1)]
    marked = any(line.looked_for for line in found)
    with st.container(key="wide"):
        st.plotly_chart(
            charts.rank_flow_figure(results, k, PALETTE, expected, relevant, names),
            key=key,
            config=CHART,
            alt=f"Ranks of {len(found)} documents in {len(results)} lists; the table below says the same",
        )
        safe.table(
            [
                {
                    "document": line.title,
                    **({"looked for": MARKS[line.mark]} if marked else {}),
                    **{name: line.words(column) for column, name in enumerate(columns)},
                }
                for line in found
            ],
            hide_index=True,
            column_config=WIDTHS,
            alt="Rank of each document in each list; a dash means not retrieved",
        )
