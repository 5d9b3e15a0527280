"""A run over several indexes, writers or modes: one table over all of it first, and which part is looked at below."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ir_core.evaluation import SMALL_N, Plan, parse, part_states
from ir_core.evaluation.overview import Line, beaten_by_none, overview
from ir_core.jobs import Job
from pages._ui import numbers, resources, safe
from pages.evaluate import words

AT_ONCE = 20
"""Rows that are all seen; more are moved in their own frame."""
LEAD = (
    "Every index, writer, transform and mode in one table; a click on a column's name sorts by it. “To the original” "
    "is within its own index and mode, and only that is tested; “to the first row” compares across them, query by "
    "query, with a paired bootstrap interval at 95 % that is not corrected and no test."
)


def states(job: Job) -> None:
    """How far each part is, and why one does not go on; nothing for a run of one part."""
    found = part_states(job)
    for one in found:
        if one.why:
            safe.notice("warning", f"{one.name}: {one.done:,} of {one.total:,} queries.", detail=one.why)
    told = [one for one in found if not one.why and one.done < one.total]
    if told:
        each = numbers.count(told[0].total, "query", "queries")
        said = "; ".join(f"{one.name}: {one.done:,} of {each}" for one in told)
        safe.draw(f'<p class="qp-facts">{safe.prose(said)}</p>')


def whole(job: Job, plan: Plan) -> None:
    """The table over all parts and modes, where there are several."""
    parts = plan.parts()
    places = [(part, mode) for part in range(len(parts)) for mode in plan.modes]
    if len(places) < 2:
        return
    lines = overview(plan, {(part, mode): resources.measured(job, mode, part) for part, mode in places})
    if not lines:
        return
    label = parse(plan.measures[0]).label
    safe.heading(f"All parts · {label}" if plan.also else f"All modes · {label}", 3)
    safe.draw(safe.block(LEAD, "qp-facts", "p"))
    counts = [line.total.n for line in lines]
    if min(counts) < max(counts):
        safe.notice(
            "warning",
            f"The parts are not equally far: rows stand on {min(counts):,} to {max(counts):,} queries (n), so their "
            "figures cannot be held against each other; “to the first row” goes by the queries that both have.",
        )
    elif min(counts) < SMALL_N:
        few = f"Only {numbers.count(min(counts), 'query', 'queries')}"
        safe.notice("warning", f"{few}: below {SMALL_N} intervals are too short, and only large differences show.")
    fronts = beaten_by_none(lines)
    rows = [_row(number, line, plan, parts, label, fronts) for number, line in enumerate(lines)]
    baseline, others = rows[0], sorted(rows[1:], key=lambda row: -(row[label] if row[label] is not None else -1.0))
    figure, signed = (
        st.column_config.NumberColumn(format=words.digits(plan.measures[0], sign)) for sign in ("", "+")
    )
    safe.table(
        [baseline, *others], hide_index=True, width="stretch", placeholder="–",
        height="content" if len(rows) <= AT_ONCE else "auto",
        alt=f"{label} of every index, writer, transform and mode, the baseline first, then the best",
        column_config={
            label: figure, "to the original": signed, "to the first row": signed,
            "transform": st.column_config.TextColumn(width=300),
            "seconds": st.column_config.NumberColumn(format="%.3f", help="–: not measured"),
            "$ per 1,000": st.column_config.NumberColumn(format="%.4f", help="Calls to the writer; –: unknown"),
            "fell back": st.column_config.NumberColumn(format="%.0f %%"),
        },
    )  # fmt: skip


def choose(job: Job, plan: Plan) -> int:
    """The part that is looked at, its number; drawn where there are several."""
    parts = plan.parts()
    if len(parts) == 1:
        return 0
    safe.heading("One part", 3)
    chosen = st.selectbox(
        "Index and writer", range(len(parts)), key=f"ev.part.{job.id}", width=420,
        format_func=lambda one: safe.sound(f"{one + 1}. {parts[one].part_name}"),
        help="Its leaderboards, figures and queries stand below; the files hold every part.",
    )  # fmt: skip
    return int(chosen or 0)


def _row(
    number: int, line: Line, plan: Plan, parts: list[Plan], label: str, fronts: dict[str, list[int]]
) -> dict[str, Any]:
    part, first, total = parts[line.part], plan.measures[0], line.total
    difference = total.difference[first]
    by_whom = (part.writer.label or part.writer.name) if line.slot else "–"
    apart = line.apart
    low = "" if apart is None or apart.low is None else f"[{_edges(apart.low, apart.high, first)}]"
    times = parse(first).times
    return {
        "transform": line.title,
        **({"index": part.strategy or part.index[:8], "writer": by_whom} if plan.also else {}),
        **({"mode": line.mode} if len(plan.modes) > 1 else {}),
        label: _times(line.value, times),
        "to the original": _times(line.proof.mean, times) if line.proof else None,
        "evidence": words.verdict(line.proof) if line.proof else "its own baseline" if number else "baseline",
        "won / tied / lost": f"{difference.wins} / {difference.ties} / {difference.losses}" if line.slot else "–",
        "seconds": total.latency_s,
        "$ per 1,000": _times(total.cost_usd, 1_000),
        "n": total.n,
        "to the first row": None if apart is None else _times(apart.mean, times),
        "interval of that": low or "–",
        "beaten by none": ", ".join(key for key, places in fronts.items() if number in places) or "–",
        "fell back": _times(total.fallback_rate, 100) if line.slot else None,
    }


def _edges(low: float | None, high: float | None, measure: str) -> str:
    return ", ".join(words.signed(edge, measure) for edge in (low, high))


def _times(value: float | None, times: float) -> float | None:
    return None if value is None else times * value
