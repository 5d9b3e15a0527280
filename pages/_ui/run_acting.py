"""What the buttons of a run do; each from a callback, so that the page is drawn once, as it is afterwards."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ir_core.errors import QueryPrismError
from ir_core.jobs import Job, JobState
from pages._ui import evaluations, safe
from pages._ui.run_family import Family


def buttons(family: Family, job: Job, state: JobState) -> None:
    """Those that make sense now, in the list, which holds this visit's own runs only."""
    if state.is_active:
        stopping = job.requested() is not None
        _button(family, "Pause", job, evaluations.pause, off=stopping)
        _button(family, "Cancel", job, evaluations.cancel, off=job.requested() == "cancel")
        return
    if state.may_resume:
        off = evaluations.lacks_key(job, state) or state.why == "cap"
        _button(family, "Resume", job, evaluations.resume, off=off)
        if state.status == "paused":
            _button(family, "Cancel", job, evaluations.cancel)
    _button(family, "Delete", job, _delete(family))


def resume_button(family: Family, job: Job, state: JobState) -> None:
    """The same beside what a run waits for."""
    _button(family, "Resume", job, evaluations.resume, off=evaluations.lacks_key(job, state), where="open")


def say_what_failed(family: Family) -> None:
    """What an action could not do, shown once above the runs."""
    if problem := st.session_state.pop(f"{family.key}_said", None):
        safe.notice("error", problem)


def guarded(family: Family, act: Callable[..., object], *args: object) -> None:
    try:
        act(*args)
    except QueryPrismError as error:
        st.session_state[f"{family.key}_said"] = str(error)


def _button(
    family: Family, label: str, job: Job, act: Callable[[Job], object], *, off: bool = False, where: str = "list"
) -> None:
    st.button(
        label, key=f"{family.key}.{label.lower()}.{where}.{job.id}", disabled=off, on_click=guarded,
        args=(family, act, job), type="primary" if where == "open" else "secondary",
    )  # fmt: skip


def _delete(family: Family) -> Callable[[Job], None]:
    def delete(job: Job) -> None:
        evaluations.delete(job)
        if st.session_state.get(family.open_key) == job.id:
            family.open_run(None)

    return delete
