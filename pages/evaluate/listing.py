"""The runs there are, of all visits: how far each is, what can be done with it; drawn anew while one is worked on."""

from __future__ import annotations

import streamlit as st

from ir_core.errors import BadInput
from ir_core.evaluation import Plan
from ir_core.jobs import Job, JobState
from pages._ui import evaluations, safe
from pages.evaluate import acting, showing, words

LOOK_S = 2.0
"""Each look takes its share of the process that does the work."""
SHOWN = 5


def show(opened: str | None) -> None:
    runs = [(job, job.state()) for job in evaluations.every()]
    safe.heading("Runs", 2)
    if not runs:
        safe.notice(
            "info",
            "No run yet. Choose transforms above and press Start: the run goes on when this tab is closed, and is "
            "listed here for whoever comes back.",
        )
        return
    active = {job.id: state.status for job, state in runs if state.is_active}
    st.fragment(run_every=LOOK_S if active else None, key="ev_list")(_list)(opened, active)


def _list(opened: str | None, before: dict[str, str]) -> None:
    """:param before: runs that were worked on when the page was drawn. When one of them is not any more, the page is
    drawn again: its figures are there."""
    acting.say_what_failed()
    runs = [(job, job.state()) for job in evaluations.every()]
    for job, state in runs[:SHOWN]:
        _row(job, state, opened)
    if len(runs) > SHOWN:
        with st.expander(f"{len(runs) - SHOWN} older", key="ev_older"):
            for job, state in runs[SHOWN:]:
                _row(job, state, opened)
    now = {job.id: state.status for job, state in runs if state.is_active}
    if now != before or st.session_state.get(showing.OPEN) != opened:
        st.rerun()


def _row(job: Job, state: JobState, opened: str | None) -> None:
    try:
        about = words.about(job, Plan.from_json(job.spec))
    except BadInput as error:  # of a release that knew other transforms
        about = str(error)
    here = " qp-run-open" if job.id == opened else ""
    said = words.progress(state, stopping=state.is_active and job.requested() is not None)
    with st.container(key=f"run-{job.id}"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            safe.draw(
                f'<div class="qp-run{here}"><h3 class="qp-h3" dir="auto">{safe.text(job.title)}</h3>'
                f'<p class="qp-facts">{safe.text(about)}</p>'
                f'<p class="qp-run-state qp-run-{safe.text(state.status)}">{safe.prose(said)}</p></div>'
            )
            with st.container(horizontal=True, width="content", gap="small"):
                if job.id != opened:
                    st.button("Open", key=f"ev.open.{job.id}", on_click=showing.open_run, args=(job.id,))
                acting.buttons(job, state)
        if state.is_active or state.status == "paused":
            safe.draw(bar(job, state))


def bar(job: Job, state: JobState) -> str:
    share = 100 * state.done / state.total if state.total else 0.0
    return (
        f'<div class="qp-bar" role="progressbar" aria-label="{safe.text(job.title)}" aria-valuemin="0" '
        f'aria-valuemax="100" aria-valuenow="{share:.0f}"><span style="width:{share:.1f}%"></span></div>'
    )
