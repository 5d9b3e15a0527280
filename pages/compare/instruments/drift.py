"""What the text became: each written query against the original, in meaning, words, language and form."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ir_core import language
from ir_core.analysis.drift import Drift, drift
from ir_core.charts.drift import drift_figure
from ir_core.schema import SearchResult
from pages._ui import numbers, safe
from pages._ui.theme import CHART, PALETTE
from pages.compare.running import Asked
from pages.compare.setup import Ready

LABEL = "What the text became"
ORDER = 40
MOST_TERMS = 24
WIDE = {
    **{name: st.column_config.TextColumn(width="medium") for name in ("text", "terms lost", "terms added")},
    "verdict": st.column_config.TextColumn(width="large"),
}


def show(ready: Ready, asked: Asked, results: Sequence[SearchResult]) -> None:
    found = [(column, one) for column, r in enumerate(results) for one in drift(ready.engine, r.formulation)]
    if not found:
        safe.notice(
            "info",
            "No transform wrote a text of its own, so nothing can have drifted.",
            detail="Each searched the original as it was typed; the reason stands on its card.",
        )
        return
    unread = list(dict.fromkeys(one.unread for _, one in found if one.unread))
    if unread:
        safe.notice("warning", f"{'; '.join(unread)}, so meanings are not compared there. Words and form still are.")
    safe.draw(
        '<p class="qp-lead">Each dot is a text that was written, by how alike its vector is to the query’s as typed. '
        "An open circle repeats another text of its transform; a cross holds template text. Where “far”, “moved”, "
        "“close” and “same” begin is a rule of thumb. A passage is meant to be further away than a rewrite.</p>"
    )
    if any(one.similarity is not None for _, one in found):
        st.plotly_chart(
            drift_figure(found, PALETTE),
            key="chart_drift",
            config=CHART,
            alt=f"Cosine to the original of {numbers.count(len(found), 'text')}; the table below says the same",
        )
    safe.table(
        [_row(column, one) for column, one in found],
        hide_index=True,
        column_config=WIDE,
        alt="Each written text: verdict, cosine to the original, terms lost and added, language, length",
    )


def _row(column: int, one: Drift) -> dict[str, object]:
    return {
        "transform": f"{column + 1}. {one.title}",
        "query": one.query_id,
        "text": one.text,
        "verdict": ", ".join(one.verdicts),
        "cosine": "not compared" if one.similarity is None else f"{one.similarity:.2f}",
        "terms lost": _listed(one.lost),
        "terms added": _listed(one.added),
        "stop words": " ".join([*(f"−{word}" for word in one.stop_lost), *(f"+{word}" for word in one.stop_added)]),
        "language": language.name_of(one.language) if one.language else numbers.UNKNOWN,
        "repeats": one.duplicate_of or "",
        "template text": "; ".join(one.template),
        "words": f"{one.words} (typed: {one.original_words})",
    }


def _listed(terms: Sequence[str]) -> str:
    more = len(terms) - MOST_TERMS
    return ", ".join(terms[:MOST_TERMS]) + (f" and {more} more" if more > 0 else "")
