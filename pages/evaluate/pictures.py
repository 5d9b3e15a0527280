"""Figures of a run: quality against what it takes, and gains by category and by query; each with its table."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ir_core.charts.gains import gains_figure
from ir_core.charts.quality import quality_figure
from ir_core.evaluation import Evaluation, Plan, Summary, parse
from ir_core.evaluation.shown import shown as figure_of
from ir_core.evaluation.slices import Slice, by_category, front, outcomes
from ir_core.jobs import Job
from ir_core.schema import Mode
from pages._ui import numbers, safe
from pages._ui.theme import CHART, PALETTE
from pages.evaluate.words import digits, in_words, signed, titles

LONGEST = 32


def quality(job: Job, plan: Plan, mode: Mode, found: Evaluation, sums: Sequence[Summary]) -> None:
    first = found.measures[0]
    label, names = parse(first).label, titles(found)
    takes = (
        ("seconds per query", "latency", [one.latency_s for one in sums]),
        ("US dollars per thousand queries", "cost", [_thousand(one.cost_usd) for one in sums]),
    )
    safe.draw(safe.block(
        "A filled dot is beaten by none: whatever is better takes more. The dotted line joins them.", "qp-lead", "p"
    ))  # fmt: skip
    fronts = {}
    for place, (unit, key, values) in zip(st.columns(2), takes, strict=True):
        scores = [_times(first, one.means[first]) for one in sums]
        fronts[key] = front(list(zip(values, scores, strict=True)))
        with place:
            if all(value is None for value in values[1:]):
                safe.notice("info", f"The {key} of no transform is known, so there is nothing to draw against it.")
                continue
            if not any(values) and None not in values:
                safe.notice("info", f"No transform adds any {key}: only quality decides.")
                continue
            if missing := [str(slot + 1) for slot, value in enumerate(values) if value is None]:
                told = f"Not drawn, as their {key} is unknown: {', '.join(missing)}."
                safe.draw(f'<p class="qp-facts">{told}</p>')
            st.plotly_chart(
                quality_figure(list(zip(names, values, scores, strict=True)), fronts[key], unit, label, PALETTE),
                key=f"ev_chart_{key}", config=CHART, alt=f"{label} against {unit}; the table below says the same",
            )  # fmt: skip
    rows = [
        {
            "transform": f"{slot + 1}. {name}",
            label: _times(first, one.means[first]),
            "seconds": "not measured" if one.latency_s is None else numbers.seconds(one.latency_s),
            "dollars per 1,000": numbers.dollars(_thousand(one.cost_usd)),
            "beaten by none": ", ".join(key for key, places in fronts.items() if slot in places) or "–",
        }
        for slot, (name, one) in enumerate(zip(names, sums, strict=True))
    ]
    safe.table(
        rows, hide_index=True,
        column_config={
            "transform": st.column_config.TextColumn(width=300),
            label: st.column_config.NumberColumn(format=digits(first)),
        },
        alt="Quality, seconds and cost of each transform",
    )  # fmt: skip


def categories(job: Job, plan: Plan, mode: Mode, found: Evaluation, sums: Sequence[Summary]) -> None:
    first = found.measures[0]
    label = parse(first).label
    by = st.segmented_control(
        "Cut by", ["categories", "queries"], default="categories", key=f"ev.heat.{job.id}", required=True
    )
    slices = by_category(found, first)
    shown = slices if by != "queries" else [slices[0], *_queries(found, first)]
    names = titles(found)
    numbered = [f"{slot + 1}. {name}" for slot, name in enumerate(names)]
    heads = [f"{_cut(one.name)} ({one.n})" if by != "queries" or one is shown[0] else one.name for one in shown]
    safe.draw(safe.block(
        f"A figure is the mean {label}, a colour the mean difference to the original: green better, brown worse.",
        "qp-facts", "p",
    ))  # fmt: skip
    gains, means = ([[_times(first, cell) for cell in row] for row in rows] for rows in (
        [one.gains for one in shown], [one.means for one in shown]
    ))  # fmt: skip
    if by == "queries":  # many, without words, so they are the columns
        figure = gains_figure(numbered, heads, _turned(gains), _turned(means), PALETTE)
    else:
        figure = gains_figure(heads, numbered, gains, means, PALETTE)
    st.plotly_chart(
        figure,
        key="ev_chart_heat", config=CHART,
        alt=f"{label} of each transform by {by}; the table {'below' if by != 'queries' else 'under Query by query'} "
        "says the same",
    )  # fmt: skip
    if by == "queries":
        count = numbers.count(len(shown) - 1, "query", "queries")
        said = f"{count}, those that gain most first. Point at one to read it; all figures are under Query by query."
        safe.draw(safe.block(said, "qp-facts", "p"))
        return
    rows = [
        {
            "category": f"{in_words(one.name)} ({one.n})",
            **{name: _cell(one, slot, first) for slot, name in enumerate(numbered)},
        }
        for one in shown
    ]
    safe.table(
        rows, hide_index=True, alt=f"{label} by category, with the gain over the original",
        column_config={"category": st.column_config.TextColumn(width=220)},
    )  # fmt: skip


def _cut(name: str) -> str:
    """A category short enough to leave room for its number of queries."""
    said = in_words(name)
    return said if len(said) <= LONGEST else f"{said[: LONGEST - 1].rstrip()}…"


def _cell(one: Slice, slot: int, measure: str) -> str:
    gain = f" ({signed(one.gains[slot], measure)})" if slot and one.means[slot] is not None else ""
    return f"{figure_of(measure, one.means[slot])}{gain}"


def _times(measure: str, value: float | None) -> float | None:
    """As it is shown: a judge's from 0 to 100."""
    return None if value is None else parse(measure).times * value


def _turned(cells: Sequence[Sequence[float | None]]) -> list[list[float | None]]:
    return [list(column) for column in zip(*cells, strict=True)]


def _queries(found: Evaluation, measure: str) -> list[Slice]:
    """A column per query, by its mean gain."""
    each = [{one.row.query_id: one for one in outcomes(found, slot, measure)} for slot in range(len(found.columns))]
    made = []
    for row in found.columns[0].rows:
        cells = [column.get(row.query_id) for column in each]
        means = tuple(one.value if one else None for one in cells)
        made.append(Slice(row.text, 1, means, tuple(one.difference if one else None for one in cells)))
    return sorted(made, key=lambda one: -sum(gain or 0.0 for gain in one.gains))


def _thousand(cost: float | None) -> float | None:
    return None if cost is None else 1_000 * cost
