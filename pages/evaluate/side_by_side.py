"""Two runs beside each other: the same transforms, on the queries that both measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress

import streamlit as st

from ir_core.errors import BadInput
from ir_core.evaluation import Evaluation, Plan, Summary, evaluation_of, parse
from ir_core.evaluation.beside import beside, has_common, shared_measure
from ir_core.jobs import Job
from ir_core.schema import Mode
from pages._ui import evaluations, numbers, resources, safe
from pages.evaluate import words

Place = tuple[str, Mode, int]
"""A run's id, a mode of it, and the number of a part."""


def show(job: Job, plan: Plan, mode: Mode, found: Evaluation, sums: Sequence[Summary]) -> None:
    others = {(one.id, *place): one for one in evaluations.every() for place in _places(one, job, plan, mode)}
    if not others:
        safe.notice("info", "There is no other run over this corpus yet. Start one, or search these texts again.")
        return
    key = f"ev.beside.{job.id}"
    if key not in st.session_state:
        st.session_state[key] = _first(others, plan, found)
    names = _names(others)
    chosen = st.selectbox("Other run", list(others), key=key, format_func=names.__getitem__)
    other = others[chosen]
    theirs = resources.measured(other, chosen[1], chosen[2])[0]
    shared = shared_measure(found, theirs)
    if shared is None:
        safe.notice("info", "The two runs have no measure or no query in common; search the texts again with this k.")
        return
    rows = lines(found, theirs, shared)
    if not rows:
        safe.notice("info", "The two runs have no transform in common, settings included.")
        return
    label = parse(shared).label
    safe.draw(safe.block(
        f"{label}, {mode} in this run, on the queries that both scored only. The interval is a paired bootstrap at "
        "95 %, not corrected and no test.",
        "qp-facts", "p",
    ))  # fmt: skip
    figure = st.column_config.NumberColumn(format=words.digits(shared))
    safe.table(
        rows, hide_index=True,
        column_config={
            "transform": st.column_config.TextColumn(width=240), "this run": figure, "other run": figure,
            "this − other": st.column_config.TextColumn(width=220),
        },
        alt=f"{label} of both runs by transform",
    )  # fmt: skip


def lines(found: Evaluation, theirs: Evaluation, measure: str) -> list[dict[str, object]]:
    """A row per transform that both have with the same settings."""
    times, rows = parse(measure).times, []
    for one in beside(found, theirs, measure):
        edges = (words.signed(edge, measure) for edge in (one.apart.low, one.apart.high))
        low = "" if one.apart.low is None else f" [{', '.join(edges)}]"
        rows.append({
            "transform": f"{one.slot + 1}. {words.titles(found)[one.slot]}",
            "this run": times * one.own,
            "other run": times * one.other,
            "this − other": f"{words.signed(one.apart.mean, measure)}{low}",
            "won / tied / lost": f"{one.apart.wins} / {one.apart.ties} / {one.apart.losses}",
            "n": one.n,
        })  # fmt: skip
    return rows


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


def _first(others: Mapping[Place, Job], plan: Plan, found: Evaluation) -> Place:
    """The newest that has something in common, else the newest; by the plan first, since that opens no file."""
    for place, one in others.items():
        if not set(plan.measures) & set(Plan.from_json(one.spec).measures):
            continue
        with suppress(BadInput):  # its files cannot be read
            if has_common(found, evaluation_of(one, place[1], place[2])):
                return place
    return next(iter(others))


def _names(others: Mapping[Place, Job]) -> dict[Place, str]:
    """Each once, since Streamlit tells options apart by them: runs of one minute may have the same words."""
    names = {place: safe.sound(_named(one, place[1], place[2])) for place, one in others.items()}
    count = Counter(names.values())
    return {place: f"{name} · {place[0][-4:]}" if count[name] > 1 else name for place, name in names.items()}


def _named(one: Job, mode: Mode, number: int) -> str:
    plan = Plan.from_json(one.spec)
    part = f", {plan.parts()[number].part_name}" if plan.also else ""
    done = numbers.count(one.state().done, "query", "queries")
    return f"{mode}{part}, {done}: {words.about(one, plan)}"
