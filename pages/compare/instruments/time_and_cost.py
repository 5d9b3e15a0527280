"""Time and cost of each transform."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from ir_core import charts
from ir_core.schema import SearchResult
from pages._ui import numbers, safe, spent
from pages._ui.theme import CHART, PALETTE
from pages.compare.running import Asked
from pages.compare.setup import Ready

LABEL = "Time and cost"
ORDER = 60


def show(ready: Ready, asked: Asked, results: Sequence[SearchResult]) -> None:
    figure = charts.latency_figure(results, PALETTE)
    st.plotly_chart(
        figure,
        key="chart_time",
        config=CHART,
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
        config=CHART,
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
