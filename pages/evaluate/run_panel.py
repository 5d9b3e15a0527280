"""The run that is open: what it waits for, its leaderboards, its files, and another search of its texts."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from ir_core.config import MAX_K
from ir_core.errors import BadInput
from ir_core.evaluation import Plan, parse
from ir_core.jobs import Job, JobState
from ir_core.schema import MODE_LEGS
from pages._ui import evaluations, keys, resources, safe
from pages.evaluate import acting, board, showing, taking, words

KEY_BOX = "ev_key"


def show(run_id: str) -> None:
    try:
        job = evaluations.get(run_id)
    except BadInput as error:
        safe.notice("warning", error)
        st.button("Close", key="ev_close_gone", on_click=showing.open_run, args=(None,))
        return
    plan, state = Plan.from_json(job.spec), job.state()
    with st.container(
        horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="ev_open_head"
    ):
        safe.draw(
            f'<div><h2 class="qp-h2">Results: <bdi>{safe.text(job.title)}</bdi></h2>'
            f'<p class="qp-facts">{safe.text(words.about(job, plan))}</p></div>'
        )
        st.button("Close", key="ev_close", on_click=showing.open_run, args=(None,), type="tertiary")
    _waits(job, plan, state)
    if state.is_active and state.done:
        said = f"So far: {state.done:,} of {state.total:,} queries, as of when this page was drawn."
        safe.notice("info", said)
    if state.done:
        for mode in plan.modes:
            board.show(*resources.measured(job, mode), mode=mode)
        _left_out(job, plan)
        with st.container(horizontal=True, key="ev_take"):
            _take(job)
            if state.status == "finished":
                _again(job, plan)


def _waits(job: Job, plan: Plan, state: JobState) -> None:
    """Why it does not go on, and what would make it."""
    if state.status == "failed":
        safe.notice("error", state.sentence, detail="What was done is kept. Resume goes on from there.")
    elif state.why == "stopped":
        said = "The server that worked on this run stopped. What was done is kept, and is not asked for again."
        safe.notice("info", said)
    if evaluations.lacks_key(job, state):
        said = "Paused: needs key. The key that was typed for this run was in memory only, and is gone."
        where = f"Type it for {plan.writer.label or plan.writer.name}, then press Resume."
        safe.notice("warning", said, detail=where)
        keys.box(KEY_BOX)
    elif state.why == "cap":
        safe.notice("warning", state.sentence)
        _raise_cap(job, plan)
    if state.may_resume and state.why != "cap":
        acting.resume_button(job, state)


def _raise_cap(job: Job, plan: Plan) -> None:
    with st.form("ev_cap", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        calls = st.number_input("Calls at most", value=plan.max_calls, min_value=0, step=1, placeholder="no cap")
        usd = st.number_input(
            "Dollars at most", value=plan.max_usd, min_value=0.0, step=0.01, format="%g", placeholder="no cap"
        )
        if st.form_submit_button("Resume with this cap", type="primary"):
            acting.guarded(evaluations.raise_cap, job, calls, usd)
            st.rerun()


def _left_out(job: Job, plan: Plan) -> None:
    found, _, _ = resources.measured(job, plan.modes[0])
    skipped = [row for column in found.columns for row in column.rows if row.skip_reason or row.error]
    if not found.excluded and not skipped:
        return
    with st.expander(f"Not measured, or failed ({len(found.excluded) + len(skipped):,})", key="ev_left_out"):
        rows = [{"query": one.query_id, "transform": "all", "reason": one.reason} for one in found.excluded]
        rows += [
            {"query": row.query_id, "transform": row.title, "reason": row.error or row.skip_reason or ""}
            for row in skipped
        ]
        safe.table(rows, hide_index=True, alt="Queries that were not measured, and why")


def _take(job: Job) -> None:
    name = f"query-prism-{job.id}"
    st.download_button(
        "CSV", partial(taking.to_csv, job), f"{name}.csv", "text/csv", key="ev_csv", on_click="ignore",
        help="One line per query, transform and mode. Cells that look like formulas are made text.",
    )  # fmt: skip
    st.download_button(
        "JSON", partial(taking.to_json, job), f"{name}.json", "application/json", key="ev_json", on_click="ignore",
        help="The plan, every row, means, differences of all measures with their intervals.",
    )  # fmt: skip


def _again(job: Job, plan: Plan) -> None:
    """Another mode or k over the same texts: the writer is not asked."""
    with st.popover("Search these texts again", key="ev_again_box"):
        safe.draw('<p class="qp-facts">Other retrieval over the texts of this run: no call, a run of its own.</p>')
        modes = st.pills(
            "Retrieval", list(MODE_LEGS), selection_mode="multi", default=list(plan.modes), key=f"ev.modes.{job.id}"
        )
        k = st.number_input(
            "k", min_value=1, max_value=MAX_K, step=1, value=parse(plan.measures[0]).cutoff, key=f"ev.k.{job.id}"
        )
        if st.button("Search again", key=f"ev.again.{job.id}", type="primary", disabled=not modes):
            families = [parse(name).family for name in plan.measures]
            measures = tuple(f"{family}@{int(k)}" for family in families)
            changed = replace(plan, modes=tuple(modes), measures=measures)
            acting.guarded(_begin_again, job, changed)
            st.rerun()


def _begin_again(job: Job, changed: Plan) -> None:
    showing.open_run(evaluations.search_again(job, changed).id)
