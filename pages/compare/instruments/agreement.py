"""How far the transforms agree: the same documents, and in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import streamlit as st

from ir_core.analysis.agreement import DEFAULT_P, Agreement, agreement
from ir_core.charts.agreement import agreement_figure
from ir_core.schema import SearchResult
from pages._ui import numbers, safe
from pages._ui.theme import CHART, PALETTE
from pages.compare.instruments._naming import columns, lines, state
from pages.compare.running import Asked
from pages.compare.setup import Ready

LABEL = "Agreement"
ORDER = 20
PERSISTENCE = (0.8, DEFAULT_P, 0.95, 0.98)
FIGURES = {name: st.column_config.NumberColumn(format="%.3f") for name in ("Jaccard", "RBO")}


def show(ready: Ready, asked: Asked, results: Sequence[SearchResult]) -> None:
    if len(results) < 2:
        safe.notice("info", "Only the original was asked, so there is nothing for it to agree with.")
        return
    if not any(result.fused.hits for result in results):
        safe.notice("info", "No transform found anything, so there are no rankings to compare.")
        return
    names = columns(results)
    p = st.segmented_control(
        "Persistence p of rank-biased overlap",
        PERSISTENCE,
        default=DEFAULT_P,
        key="rbo_p",
        help="How likely a reader is to go on to the next place. Lower counts the first places more.",
    )
    found = agreement(results, asked.k, p or DEFAULT_P)
    safe.draw(safe.block(_lead(found), "qp-lead", "p"))
    odd = [(name, why) for name, result in zip(names, results, strict=True) if (why := state(result))]
    if odd:
        lines(odd)
    measures = (("jaccard", f"Jaccard of the first {asked.k}", found.jaccard), ("rbo", "RBO, all places", found.rbo))
    for place, (key, label, matrix) in zip(st.columns(2), measures, strict=True):
        with place:
            st.plotly_chart(
                agreement_figure(matrix, names, label, PALETTE),
                key=f"chart_{key}",
                config=CHART,
                alt=f"{label} between {len(results)} transforms; the table below says the same",
            )
    safe.table(
        _rows(found, names),
        hide_index=True,
        column_config=FIGURES,
        alt="Jaccard and rank-biased overlap of each pair of transforms",
    )


def _lead(found: Agreement) -> str:
    first, read = 1 / (1 - found.p), max(found.depths)
    return (
        f"1 is full agreement, 0 none. Jaccard: shared ÷ all documents of the first {found.k}, in any order. RBO: "
        f"agreement at every depth down to {read}, extrapolated beyond, where the first places count most; at "
        f"p = {found.p:g} a reader is expected to go {numbers.count(round(first), 'place')} deep."
    )


def _rows(found: Agreement, names: Sequence[str]) -> list[dict[str, object]]:
    return [
        {
            "transform": names[i],
            "and": names[j],
            "Jaccard": found.jaccard[i][j],
            "RBO": found.rbo[i][j],
            "documents read": f"{found.depths[i]} and {found.depths[j]}",
        }
        for i, j in combinations(range(len(names)), 2)
    ]
