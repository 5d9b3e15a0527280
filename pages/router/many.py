"""Many queries: routed one after the other, then their routes, what they took, and how their labels compare."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ir_core.router import RouteTable
from pages._ui import numbers, safe, trouble, writers
from pages._ui.jobs import BY_HAND, Job, follow
from pages.router import many_board, many_labels, many_reading, running
from pages.router.choosing import Chosen
from pages.router.running import Asked
from pages.router.setup import Ready

SLOT = "rt_many"


def show(ready: Ready, decider: Chosen, table: RouteTable) -> None:
    queries = many_reading.choose(ready)
    asked = Asked(queries, decider, table, writers.current(), ready.settings)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="rt_many_row"):
        off = not queries or bool(asked.writer.missing)
        if st.button("Route them", type="primary", key="rt_many_start", disabled=off):
            running.start(ready, asked, SLOT, with_original=False)
        if queries:
            said = numbers.count(len(queries), "query", "queries")
            if asked.writer.may_cost:
                said += f"; {asked.writer.label} may be asked for each, which may cost money"
            safe.draw(f'<p class="qp-facts">{safe.text(said)}</p>', width="content")
    if asked.writer.missing:
        safe.notice("warning", asked.writer.missing, detail="The corpus writer needs neither key nor model.")
    job = running.job_of(ready, SLOT)
    if job is None:
        if not queries:
            safe.notice("info", "No query yet. Paste some, one on each line, or choose a file.")
        return
    _follow(job)
    _outcome(ready, job)


def _follow(job: Job) -> None:
    if job.is_over:
        return
    total, place = len(job.asked.asked.queries), st.empty()
    with place.container(key="rt_many_progress"):
        bar: Any = st.empty()
        st.button("Cancel", key="rt_many_cancel", on_click=job.stop, args=(BY_HAND,))

    def draw(fresh: list[Any]) -> None:
        share = 100 * len(job.events) / max(1, total)
        with bar:
            safe.draw(
                f'<p class="qp-doing" role="status">{len(job.events)} of {total} routed</p>'
                f'<div class="qp-bar" aria-hidden="true"><span style="width:{share:.0f}%"></span></div>'
            )

    follow(job, draw)
    place.empty()


def _outcome(ready: Ready, job: Job) -> None:
    total = len(job.asked.asked.queries)
    if job.error is not None:
        job.error = trouble.told(job.error)
    if job.error is not None:
        safe.notice("error", job.error, detail=f"{len(job.events)} of {total} were routed before.")
    elif len(job.events) < total:
        said = f"Stopped: {len(job.events)} of {total} were routed. Route them anew to have all."
        safe.notice("info", said)
    if job.events:
        many_board.show(ready, job)
        many_labels.show(ready, job)
