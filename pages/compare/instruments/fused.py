"""Where each merged rank comes from: per query and leg, the rank there and the share of the score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from ir_core.analysis.provenance import Finder, Provenance, provenance
from ir_core.charts.provenance import LEGS, provenance_figure
from ir_core.schema import SearchResult
from pages._ui import cards, numbers, safe
from pages._ui.theme import CHART, PALETTE
from pages.compare.instruments._naming import choose
from pages.compare.running import Asked
from pages.compare.setup import Ready

LABEL = "Fused ranking"
ORDER = 30
SHARES = {
    "score": st.column_config.NumberColumn(format="%.6f"),
    "share": st.column_config.NumberColumn(format="%.6f"),
    "of the score": st.column_config.NumberColumn(format="%.0f %%"),
}


def show(ready: Ready, asked: Asked, results: Sequence[SearchResult]) -> None:
    number = choose(results, "fused_of")
    result = results[number]
    if result.formulation.skip_reason:
        safe.notice("info", "This query was not searched.", detail=result.formulation.skip_reason)
        return
    found = provenance(result)
    if not found.hits:
        safe.notice("info", "This transform found nothing, so there is no ranking to explain.")
        return
    safe.draw(safe.block(_lead(result), "qp-lead", "p"))
    names = {finder.query.id: cards.short_id(finder.query.id) for finder in found.finders}
    chosen = _chosen(found, names, f"fused_query_{number}")
    st.plotly_chart(
        provenance_figure(found, PALETTE, names, chosen.query.id if chosen else None),
        key="chart_fused",
        config=CHART,
        alt="Share of each query and leg in the score of each hit; the table below says the same",
    )
    safe.table(
        _rows(found, names, chosen),
        hide_index=True,
        column_config=SHARES,
        alt="The fused ranking and what each query and leg gave to it",
    )


def _lead(result: SearchResult) -> str:
    combine = ", ".join(f"{LEGS.get(leg, leg)}: {how}" for leg, how in result.formulation.combine.items()) or "rrf"
    return (
        f"{numbers.count(len(result.rankings), 'list')} read; joined inside each leg by {combine}. The shares of a "
        "document add up to its score; a share of 0 means that another list was credited with the place."
    )


def _chosen(found: Provenance, names: Mapping[str, str], key: str) -> Finder | None:
    """The query whose hits alone are shown, if one is pressed, with what it is good for in words."""
    finders = {finder.query.id: finder for finder in found.finders}
    if st.session_state.get(key) not in finders:
        st.session_state[key] = None  # of an earlier comparison
    total = len(found.hits)
    picked = st.pills(
        "Only the hits that one query found",
        list(finders),
        format_func=lambda name: safe.label(f"{names[name]} · {finders[name].found} of {total}"),
        key=key,
    )
    if picked is None:
        return None
    one = finders[picked]
    alone = f", {one.alone} of them alone" if one.found and len(finders) > 1 else ""
    read = numbers.count(one.read, "document")
    safe.draw(
        safe.block(one.query.text, "qp-query", "p")
        + safe.block(f"Found {one.found} of the {total} hits{alone}; it read {read} in all.", "qp-facts", "p")
    )
    return one


def _rows(found: Provenance, names: Mapping[str, str], chosen: Finder | None) -> list[dict[str, object]]:
    texts = {finder.query.id: finder.query.text for finder in found.finders}
    wanted = chosen.query.id if chosen else None
    return [
        {
            "rank": one.hit.rank,
            "document": one.hit.title,
            "score": one.hit.score,
            "query": names.get(part.query_id, part.query_id),
            "leg": LEGS.get(part.leg, part.leg),
            "rank there": part.rank,
            "share": part.share,
            "of the score": 100 * part.share / one.hit.score if one.hit.score else None,
            "query text": texts.get(part.query_id, ""),
        }
        for one in found.of(wanted)
        for part in one.parts
        if wanted in (None, part.query_id)
    ]
