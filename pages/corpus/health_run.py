"""Looking an index over: in a thread, once for all visits, with progress; what came of it is kept by fingerprint."""

from __future__ import annotations

import threading
from typing import Any

import streamlit as st

from ir_core.analysis.health import Health, examine
from ir_core.embedders import open_embedder
from ir_core.errors import BadSource, Cancelled
from ir_core.index import Index
from pages._ui import numbers, progress, resources, safe, trouble
from pages._ui.jobs import Emit, Job

MINE = "health_job"


def _asked(info: Any, index: Index) -> tuple[str, str]:
    return info.name, index.manifest.fingerprint


def result(info: Any, index: Index) -> Health | None:
    """Follows one that is under way; None where there is none yet, or it failed, which is said."""
    job = resources.examinations().same(_asked(info, index))
    if job is not None and not job.is_over:
        _follow(job)
    mine = resources.examinations().get(st.session_state.get(MINE))
    if mine is not None and mine.is_over and mine.error and mine.asked == _asked(info, index):
        _say(mine)
        return None
    return job.result if job is not None and not job.error else None


def known(info: Any, index: Index) -> Health | None:
    """What is known without waiting."""
    job = resources.examinations().same(_asked(info, index))
    return job.result if job is not None and job.is_over else None


def invite(info: Any, index: Index) -> None:
    made = index.manifest
    told = f"{numbers.count(made.n_surfaces, 'surface')}, {made.over_limit:,} longer than the embedder reads"
    safe.draw(
        safe.block(
            "Looks over every surface and asks the corpus' own query set: texts too long, blank, copied or broken, "
            "headers and footers, languages, hubs, and documents that no query reaches.",
            "qp-lead",
            "p",
        )
    )
    with st.container(horizontal=True, vertical_alignment="center", key="health_row"):
        st.button("Look the index over", key="health_begin", on_click=begin, args=(info, index))
        safe.draw(safe.block(f"Known already: {told}.", "qp-facts", "p"), width="content")


def begin(info: Any, index: Index, again: bool = False) -> None:
    """:param again: also where there is one, since the query set or the files may have changed."""
    asked = _asked(info, index)
    running = resources.examinations().same(asked)
    if running is not None and not (again and running.is_over):
        return
    loaded = resources.loaded(info.name)
    try:
        queries, qrels = resources.queries(info.name), resources.judgements(info.name)
    except BadSource:
        queries, qrels = (), {}

    def work(emit: Emit, cancel: threading.Event) -> Health:
        return examine(
            index, open_embedder(index.manifest.embedder), loaded=loaded, queries=queries, qrels=qrels,
            on_progress=emit, cancel=cancel,
        )  # fmt: skip

    st.session_state[MINE] = resources.examinations().start(asked, work).id


def _follow(job: Job) -> None:
    mine = st.session_state.get(MINE) == job.id
    progress.followed(job, stop="Stop" if mine else None, key="health_stop")
    st.rerun()


def _say(job: Job) -> None:
    """Once."""
    st.session_state[MINE] = None
    if isinstance(job.error, Cancelled):
        safe.notice("info", "It was stopped; nothing of it is kept.")
    elif job.error:
        safe.notice("error", trouble.told(job.error))
