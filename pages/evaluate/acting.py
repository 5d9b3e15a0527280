"""What the buttons of a run do; each from a callback, so that the page is drawn once, as it is afterwards."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ir_core.errors import QueryPrismError
from ir_core.jobs import Job, JobState
from pages._ui import evaluations, safe
from pages.evaluate import showing

SAID = "ev_said"
"""What an action could not do, shown once above the runs."""


def buttons(job: Job, state: JobState) -> None:
    """Those that make sense now, in the list."""
    if state.is_active:
        stopping = job.requested() is not None
        _button("Pause", job, evaluations.pause, off=stopping)
        _button("Cancel", job, evaluations.cancel, off=job.requested() == "cancel")
        return
    if state.may_resume:
        off = evaluations.lacks_key(job, state) or state.why == "cap"
        _button("Resume", job, evaluations.resume, off=off)
        if state.status == "paused":
            _button("Cancel", job, evaluations.cancel)
    _button("Delete", job, _delete)


def resume_button(job: Job, state: JobState) -> None:
    """The same beside what a run waits for."""
    _button("Resume", job, evaluations.resume, off=evaluations.lacks_key(job, state), where="open")


def say_what_failed() -> None:
    if problem := st.session_state.pop(SAID, None):
        safe.notice("error", problem)


def _button(label: str, job: Job, act: Callable[[Job], None], *, off: bool = False, where: str = "list") -> None:
    st.button(
        label, key=f"ev.{label.lower()}.{where}.{job.id}", disabled=off, on_click=guarded, args=(act, job),
        type="primary" if where == "open" else "secondary",
    )  # fmt: skip


def guarded(act: Callable[..., object], *args: object) -> None:
    try:
        act(*args)
    except QueryPrismError as error:
        st.session_state[SAID] = str(error)


def _delete(job: Job) -> None:
    evaluations.delete(job)
    if st.session_state.get(showing.OPEN) == job.id:
        showing.open_run(None)
