"""Two runs beside each other: the same transforms, on the queries that both measured."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ir_core.errors import BadInput
from ir_core.evaluation import Column, Evaluation, Plan, Summary, paired, parse
from ir_core.jobs import Job
from ir_core.schema import Mode
from pages._ui import evaluations, numbers, resources, safe
from pages.evaluate import words


def show(job: Job, plan: Plan, mode: Mode, found: Evaluation, sums: Sequence[Summary]) -> None:
    others = {(one.id, *place): one for one in evaluations.every() for place in _places(one, job, plan, mode)}
    if not others:
        safe.notice("info", "There is no other run over this corpus yet. Start one, or search these texts again.")
        return
    chosen = st.selectbox(
        "Other run", list(others), key=f"ev.beside.{job.id}",
        format_func=lambda one: safe.sound(_named(others[one], one[1], one[2])),
    )  # fmt: skip
    other = others[chosen]
    theirs = resources.measured(other, chosen[1], chosen[2])[0]
    shared = [name for name in found.measures if name in theirs.measures]
    if not shared or not theirs.n:
        safe.notice("info", "The two runs have no measure or no query in common; search the texts again with this k.")
        return
    rows = lines(found, theirs, shared[0])
    if not rows:
        safe.notice("info", "The two runs have no transform in common, settings included.")
        return
    label = parse(shared[0]).label
    safe.draw(safe.block(
        f"{label}. This run: {words.about(job, plan)}, {mode}. Other run: {_named(other, *chosen[1:])}. Only queries "
        "that both scored; the interval is a paired bootstrap at 95 %, not corrected and no test.",
        "qp-facts", "p",
    ))  # fmt: skip
    figure = st.column_config.NumberColumn(format="%.3f")
    safe.table(
        rows, hide_index=True, column_config={"this run": figure, "other run": figure},
        alt=f"{label} of both runs by transform",
    )  # fmt: skip


def lines(found: Evaluation, theirs: Evaluation, measure: str) -> list[dict[str, object]]:
    """A row per transform that both have with the same settings."""
    known = {_key(column): column for column in theirs.columns}
    rows = []
    for slot, column in enumerate(found.columns):
        other = known.get(_key(column))
        if other is None:
            continue
        before = {row.query_id: row.scores for row in other.rows}
        pairs = [
            (row.scores[measure], scores[measure])
            for row in column.rows
            if (scores := before.get(row.query_id)) and row.scores and measure in row.scores and measure in scores
        ]
        if not pairs:
            continue
        own, base = [one for one, _ in pairs], [one for _, one in pairs]
        apart = paired(own, base)
        edges = (words.signed(edge, measure) for edge in (apart.low, apart.high))
        low = "" if apart.low is None else f" [{', '.join(edges)}]"
        rows.append({
            "transform": f"{slot + 1}. {words.titles(found)[slot]}",
            "this run": parse(measure).times * sum(own) / len(own),
            "other run": parse(measure).times * sum(base) / len(base),
            "this − other": f"{words.signed(apart.mean, measure)}{low}",
            "won / tied / lost": f"{apart.wins} / {apart.ties} / {apart.losses}",
            "n": len(pairs),
        })  # fmt: skip
    return rows


def _key(column: Column) -> tuple[str, str]:
    return column.transform, repr(sorted(column.settings.items()))


def _places(one: Job, job: Job, plan: Plan, mode: Mode) -> list[tuple[Mode, int]]:
    """Modes and parts of a run over the same corpus; all but what is open, which is another part's of its own run."""
    try:
        other = Plan.from_json(one.spec)
    except BadInput:  # of a release that knew other transforms
        return []
    if other.corpus != plan.corpus or not one.state().done:
        return []
    here = (plan.index, plan.writer, mode)
    return [
        (name, number)
        for number, part in enumerate(other.parts())
        for name in other.modes
        if one.id != job.id or (part.index, part.writer, name) != here
    ]


def _named(one: Job, mode: Mode, number: int) -> str:
    plan = Plan.from_json(one.spec)
    part = f", {plan.parts()[number].part_name}" if plan.also else ""
    done = numbers.count(one.state().done, "query", "queries")
    return f"{mode}{part}, {done}: {words.about(one, plan)}"
