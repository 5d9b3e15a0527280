"""Where each merged rank comes from: per query and leg, the rank there and the share of the score."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ir_core.schema import SearchResult
from pages._ui import cards, numbers, safe
from pages.compare.running import Asked
from pages.compare.setup import Ready

LABEL = "Fused ranking"
ORDER = 30
SHARES = {name: st.column_config.NumberColumn(format="%.6f") for name in ("score", "share")}


def show(ready: Ready, asked: Asked, results: Sequence[SearchResult]) -> None:
    titles = [f"{number + 1}. {result.formulation.title}" for number, result in enumerate(results)]
    number = st.selectbox(
        "Transform",
        range(len(results)),
        format_func=lambda i: safe.sound(titles[i]),
        key="fused_of",
        width=340,
    )
    result = results[min(number or 0, len(results) - 1)]
    texts = {query.id: query.text for query in (*result.formulation.queries, *result.derived)}
    combine = (
        ", ".join(f"{'words' if leg == 'lexical' else leg}: {how}" for leg, how in result.formulation.combine.items())
        or "rrf"
    )
    safe.draw(
        safe.block(
            f"{numbers.count(len(result.rankings), 'list')} read; joined inside each leg by {combine}. "
            "The shares of a document add up to its score.",
            "qp-lead",
            "p",
        )
    )
    rows = [
        {
            "rank": hit.rank,
            "document": hit.title,
            "score": round(hit.score, 6),
            "query": cards.short_id(part.query_id),
            "leg": "words" if part.leg == "lexical" else part.leg,
            "rank there": part.rank,
            "share": round(part.share, 6),
            "query text": texts.get(part.query_id, ""),
        }
        for hit in result.fused.hits
        for part in sorted(hit.contributions, key=lambda part: -part.share)
    ]
    if rows:
        safe.table(
            rows,
            hide_index=True,
            column_config=SHARES,
            alt="The fused ranking and what each query and leg gave to it",
        )
    else:
        safe.notice("info", "This transform found nothing, so there is no ranking to explain.")
