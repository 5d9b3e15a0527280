"""The runs there are, of all visits: how far each is, what can be done with it; drawn anew as they change."""

from __future__ import annotations

import streamlit as st

from ir_core.errors import BadInput
from ir_core.jobs import Job, JobState
from pages._ui import evaluations, run_acting, run_words, safe
from pages._ui.run_family import Family

LOOK_S = 2.0
"""Each look takes its share of the process that does the work."""
IDLE_LOOK_S = 5.0
"""While none is worked on: another tab may resume, end or delete one."""
SHOWN = 5


def show(family: Family, opened: str | None) -> None:
    runs = [(job, job.state()) for job in evaluations.every(family.kind)]
    safe.heading(family.title, 2)
    if not runs:
        safe.notice("info", family.nothing)
        return
    active = any(state.is_active for _, state in runs)
    every = LOOK_S if active else IDLE_LOOK_S
    st.fragment(run_every=every, key=f"{family.key}_list")(_list)(family, opened, _stages(runs))


def _stages(runs: list[tuple[Job, JobState]]) -> dict[str, tuple[str, int]]:
    """Of every run the status; of one that is worked on also how far: nothing, something, then each quarter."""
    return {
        job.id: (state.status, bool(state.done) + 4 * state.done // max(1, state.total) if state.is_active else 0)
        for job, state in runs
    }


def _list(family: Family, opened: str | None, before: dict[str, tuple[str, int]]) -> None:
    """:param before: the runs when the page was drawn, and how far. When one is at its next stage, over, resumed or
    gone, in whichever tab, the page is drawn again."""
    run_acting.say_what_failed(family)
    runs = [(job, job.state()) for job in evaluations.every(family.kind)]
    for job, state in runs[:SHOWN]:
        _row(family, job, state, opened)
    if len(runs) > SHOWN:
        with st.expander(f"{len(runs) - SHOWN} older", key=f"{family.key}_older"):
            for job, state in runs[SHOWN:]:
                _row(family, job, state, opened)
    if _stages(runs) != before or st.session_state.get(family.open_key) != opened:
        st.rerun()


def _row(family: Family, job: Job, state: JobState, opened: str | None) -> None:
    try:
        about = family.about(job)
    except BadInput as error:  # of a release that knew other transforms
        about = str(error)
    here = " qp-run-open" if job.id == opened else ""
    said = run_words.progress(state, stopping=state.is_active and job.requested() is not None)
    with st.container(key=f"run-{job.id}"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            safe.draw(
                f'<div class="qp-run{here}"><h3 class="qp-h3" dir="auto">{safe.text(job.title)}</h3>'
                f'<p class="qp-facts">{safe.text(about)}</p>'
                f'<p class="qp-run-state qp-run-{safe.text(state.status)}">{safe.prose(said)}</p></div>'
            )
            with st.container(horizontal=True, width="content", gap="small"):
                if job.id != opened:
                    st.button("Open", key=f"{family.key}.open.{job.id}", on_click=family.open_run, args=(job.id,))
                run_acting.buttons(family, job, state)
        if state.is_active or state.status == "paused":
            safe.draw(bar(job, state))


def bar(job: Job, state: JobState) -> str:
    share = 100 * state.done / state.total if state.total else 0.0
    return (
        f'<div class="qp-bar" role="progressbar" aria-label="{safe.text(job.title)}" aria-valuemin="0" '
        f'aria-valuemax="100" aria-valuenow="{share:.0f}"><span style="width:{share:.1f}%"></span></div>'
    )
