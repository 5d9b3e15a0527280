"""What can be read off a finished comparison: what moved, the fused ranking, time and cost, where a document went."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from ir_core import charts
from ir_core.schema import SearchResult
from ir_core.transforms import TRANSFORMS
from pages._ui import cards, numbers, safe, spent
from pages._ui.theme import PALETTE
from pages.compare import sharing, wanted
from pages.compare.running import Asked
from pages.compare.setup import Ready

SHARES = {name: st.column_config.NumberColumn(format="%.6f") for name in ("score", "share")}
CONFIG = {"displayModeBar": False, "scrollZoom": False}


def tabs(ready: Ready, asked: Asked, results: list[SearchResult]) -> None:
    safe.heading("What it shows", 2)
    moved, fused, spent, looked_for, share = st.tabs(
        ["What moved", "Fused ranking", "Time and cost", "Expected document", "Share and export"],
        key="reading",
    )
    with moved:
        _moved(ready, asked, results)
    with fused:
        _fused(results)
    with spent:
        _spent(results)
    with looked_for:
        wanted.panel(ready, asked.query, results)
    with share:
        sharing.panel(ready, asked, results)


def _moved(ready: Ready, asked: Asked, results: list[SearchResult]) -> None:
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
            config=CONFIG,
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


def _fused(results: list[SearchResult]) -> None:
    """Where each merged rank comes from: per query and leg, the rank there and the share of the score."""
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


def _spent(results: list[SearchResult]) -> None:
    figure = charts.latency_figure(results, PALETTE)
    st.plotly_chart(
        figure,
        key="chart_time",
        config=CONFIG,
        alt="Milliseconds of writing, encoding and searching per transform; the table below says the same",
    )
    safe.draw(
        '<p class="qp-facts">Waiting for others is not in these times. Reused vectors and cached texts took none '
        "and add none.</p>"
    )
    costs = [(r.formulation.title, spent.now(r.formulation.calls).cost_usd) for r in results]
    firsts = [spent.first(result.formulation.calls) for result in results]
    rows: list[dict[str, Any]] = []
    for row, result, (_, cost), first in zip(charts.latency_rows(results), results, costs, firsts, strict=True):
        calls = result.formulation.calls
        rows.append(
            {
                **row,
                "calls": len(calls),
                "tokens in": _known(numbers.total([call.tokens_in for call in calls])),
                "tokens out": _known(numbers.total([call.tokens_out for call in calls])),
                "cost": numbers.dollars(cost),
                "first time": f"{numbers.seconds(first.seconds)}, {numbers.dollars(first.cost_usd)}" if first else "",
            }
        )
    blank = [name for name in ("texts", "first time") if not any(row[name] for row in rows)]
    rows = [{name: value for name, value in row.items() if name not in blank} for row in rows]
    wide = {"transform": st.column_config.TextColumn(width="medium")}
    safe.table(rows, hide_index=True, column_config=wide, alt="Time, calls, tokens and cost of each transform")
    if not any(cost for _, cost in costs):
        safe.draw(safe.block(_no_cost(results, costs), "qp-lead", "p"))
        return
    st.plotly_chart(
        charts.cost_figure(
            costs, PALETTE, [f"first {numbers.dollars(one.cost_usd)}" if one else "" for one in firsts]
        ),
        key="chart_cost",
        config=CONFIG,
        alt="US dollars per transform; the table above says the same",
    )


def _no_cost(results: Sequence[SearchResult], costs: Sequence[tuple[str, float | None]]) -> str:
    """Why there is no chart of costs."""
    if any(cost is None for _, cost in costs):
        return "What the calls cost is not known: the writer named no price."
    calls = [call for result in results for call in result.formulation.calls]
    if any(call.cached for call in calls):
        return (
            "Nothing was spent now: texts were kept from an earlier time, and what they cost then stands beside them."
        )
    asked = any(result.formulation.written_by in ("model", "mixed") for result in results)
    return "Every transform cost $0." if asked else "No LLM was asked, so every transform cost $0."


def _known(value: float | None) -> str:
    return numbers.UNKNOWN if value is None else f"{value:,.0f}"
