"""Time and cost of each transform: where the time went, when, what it cost, and what it brought for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from ir_core import charts
from ir_core.analysis.timeline import Timeline, timeline
from ir_core.charts.gantt import gantt_figure
from ir_core.schema import SearchResult
from pages._ui import numbers, safe, spent
from pages._ui.theme import CHART, PALETTE
from pages.compare import wanted
from pages.compare.instruments import _gain
from pages.compare.running import Asked
from pages.compare.setup import Ready

LABEL = "Time and cost"
ORDER = 60
BUDGETS: dict[str, tuple[str, float | None]] = {
    "autocomplete": ("Autocomplete, 100 ms", 0.1),
    "chat": ("Chat, 1 s", 1.0),
    "batch": ("Batch, none", None),
}
"""0.1 s seems instantaneous and 1 s keeps the flow of thought: Nielsen, Usability Engineering (1993), chapter 5."""
WIDE = {"transform": st.column_config.TextColumn(width="medium")}


def show(ready: Ready, asked: Asked, results: Sequence[SearchResult]) -> None:
    chosen = st.segmented_control(
        "Latency budget",
        list(BUDGETS),
        key="latency_budget",
        default="chat",
        required=True,
        persist_state="session",
        format_func=lambda name: BUDGETS[name][0],
        help="Rules of thumb: 0.1 s seems instantaneous, 1 s keeps a train of thought (Nielsen, Usability "
        "Engineering, 1993); a nightly batch waits for nothing.",
    )
    budget_s = BUDGETS[chosen or "batch"][1]
    _stages(results, budget_s)
    _when(timeline(results))
    _costs(results)
    _gain.show(results, wanted.judged(ready, asked.query), asked.k)


def _stages(results: Sequence[SearchResult], budget_s: float | None) -> None:
    figure = charts.latency_figure(results, PALETTE, budget_s)
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
    rows: list[dict[str, Any]] = charts.latency_rows(results)
    if budget_s is not None:
        waits = [_first_wait(result) for result in results]
        for row, wait in zip(rows, waits, strict=True):
            fits = numbers.UNKNOWN if wait is None else "yes" if wait <= budget_s else "no"
            row[f"within {numbers.seconds(budget_s)}"] = fits
        keep = sum(wait is not None and wait <= budget_s for wait in waits)
        said = f"{keep} of {numbers.count(len(results), 'transform')} within {numbers.seconds(budget_s)}"
        kept = any(spent.first(result.formulation.calls) for result in results)
        said += ", kept texts counted at what they took the first time." if kept else "."
        safe.draw(safe.block(said, "qp-lead", "p"))
    if not any(row["texts"] for row in rows):
        rows = [{name: value for name, value in row.items() if name != "texts"} for row in rows]
    safe.table(rows, hide_index=True, column_config=WIDE, alt="Milliseconds of each stage per transform")


def _first_wait(result: SearchResult) -> float | None:
    """Seconds for whoever asks this first, with nothing kept; None where that is unknown."""
    first = spent.first(result.formulation.calls)
    return numbers.total([result.trace.latency_s, first.seconds if first else 0.0])


def _when(found: Timeline) -> None:
    safe.heading("When what happened", 3)
    if not found.spans:
        safe.notice("info", "Nothing here was timed in this process: the texts were recorded or kept.")
        return
    st.plotly_chart(
        gantt_figure(found, PALETTE),
        key="chart_gantt",
        config=CHART,
        alt=f"Calls, searches and waits of {len(found.titles)} transforms on one clock; a table below says the same",
    )
    kept = sum(found.kept)
    said = (
        "Real starts of this process. Outlined and cross-hatched: waiting for its turn. A transform’s lanes ran at "
    )
    said += "the same time. Encoding and searching are its own share of what was done for several at once."
    if kept:
        said += f" {numbers.count(kept, 'text was', 'texts were')} kept from an earlier time and took none now."
    safe.draw(safe.block(said, "qp-facts", "p"))
    with st.expander("Each bar as a table", key="gantt_table"):
        safe.table(
            [
                {
                    "transform": f"{span.column + 1}. {found.titles[span.column]}",
                    "what": span.kind,
                    "of": span.label,
                    "lane": span.lane + 1,
                    "from ms": round(1_000 * span.start, 1),
                    "ms": round(1_000 * span.seconds, 1),
                }
                for span in found.spans
            ],
            hide_index=True,
            alt="Start and length of each call, search and wait",
        )


def _costs(results: Sequence[SearchResult]) -> None:
    safe.heading("What it cost", 3)
    costs = [(r.formulation.title, spent.now(r.formulation.calls).cost_usd) for r in results]
    firsts = [spent.first(result.formulation.calls) for result in results]
    rows: list[dict[str, Any]] = []
    for result, (title, cost), first in zip(results, costs, firsts, strict=True):
        calls = result.formulation.calls
        rows.append(
            {
                "transform": title,
                "calls": len(calls),
                "tokens in": _known(numbers.total([call.tokens_in for call in calls])),
                "tokens out": _known(numbers.total([call.tokens_out for call in calls])),
                "cost": numbers.dollars(cost),
                "first time": f"{numbers.seconds(first.seconds)}, {numbers.dollars(first.cost_usd)}" if first else "",
            }
        )
    if not any(firsts):
        rows = [{name: value for name, value in row.items() if name != "first time"} for row in rows]
    safe.table(rows, hide_index=True, column_config=WIDE, alt="Calls, tokens and cost of each transform")
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
