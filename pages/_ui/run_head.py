"""The head of the run that is open, what it waits for, and what would make it go on."""

from __future__ import annotations

import streamlit as st

from ir_core import visits
from ir_core.errors import BadInput
from ir_core.evaluation import Plan, cut_off_said
from ir_core.jobs import Job, JobState
from pages._ui import evaluations, run_acting, run_words, safe
from pages._ui.run_family import Family

SOMEBODYS = "This run is another visit's, opened by its link: it can be read here, and not changed."


def head(family: Family, run_id: str) -> Job | None:
    """The run under its title; None when there is none of that id (any more), which is said."""
    try:
        job = evaluations.get(run_id, family.kind)
        about = family.about(job)
    except BadInput as error:
        safe.notice("warning", error)
        st.button("Close", key=f"{family.key}_close_gone", on_click=family.open_run, args=(None,))
        return None
    with st.container(
        horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key=f"{family.key}_open_head"
    ):
        safe.draw(
            f'<div><h2 class="qp-h2">Results: <bdi>{safe.text(job.title)}</bdi></h2>'
            f'<p class="qp-facts">{safe.text(about)}</p></div>'
        )
        st.button("Close", key=f"{family.key}_close", on_click=family.open_run, args=(None,), type="tertiary")
    plan, state = evaluations.plan_of(job), job.state()
    if lost := cut_off_said(job, state):
        safe.notice("info", lost)
    if visits.is_own(job.folder):
        _waits(family, job, plan, state)
    else:
        safe.notice("info", SOMEBODYS)
    if state.is_active:
        done, total = run_words.queries(state)
        said = "No query is through yet. The first figures appear here by themselves."
        if done:
            said = f"So far: {done:,} of {total:,} queries, as of when this page was drawn; it follows by quarters."
        safe.notice("info", said)
    return job


def _waits(family: Family, job: Job, plan: Plan, state: JobState) -> None:
    """Why it does not go on, and what would make it."""
    if state.status == "failed":
        safe.notice("error", state.sentence, detail="What was done is kept. Resume goes on from there.")
    elif state.why == "stopped":
        said = "The server that worked on this run stopped. What was done is kept, and is not asked for again."
        safe.notice("info", said)
    elif state.why == "writer":
        safe.notice("error", state.sentence)
    if evaluations.lacks_key(job, state):
        said = "Paused: needs key. The key that was typed for this run was in memory only, and is gone."
        where = f"Type it for {'; '.join(evaluations.missing_keys(job).values())}, then press Resume."
        safe.notice("warning", said, detail=where)
        evaluations.key_box(job, f"{family.key}_key")
    elif state.why == "cap":
        safe.notice("warning", state.sentence)
        _raise_cap(family, job, plan)
    if state.may_resume and state.why != "cap":
        run_acting.resume_button(family, job, state)


def _raise_cap(family: Family, job: Job, plan: Plan) -> None:
    with st.form(f"{family.key}_cap", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        calls = st.number_input("Calls at most", value=plan.max_calls, min_value=0, step=1, placeholder="no cap")
        usd = st.number_input(
            "Dollars at most", value=plan.max_usd, min_value=0.0, step=0.01, format="%g", placeholder="no cap"
        )
        if st.form_submit_button("Resume with this cap", type="primary"):
            run_acting.guarded(family, evaluations.raise_cap, job, calls, usd)
            st.rerun()
