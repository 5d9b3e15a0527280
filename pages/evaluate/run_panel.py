"""The run that is open: what it waits for, its leaderboards, and its files."""

from __future__ import annotations

from functools import partial

import streamlit as st

from ir_core.evaluation import Plan
from ir_core.jobs import Job, JobState
from pages._ui import resources, run_head, safe
from pages._ui.run_list import LOOK_S
from pages.evaluate import again, board, looking, parts, taking, words
from pages.evaluate.family import RUNS


def show(run_id: str) -> None:
    job = run_head.head(RUNS, run_id)
    if job is None:
        return
    plan, state = Plan.from_json(job.spec), job.state()
    st.fragment(run_every=LOOK_S if state.is_active else None, key="ev_states")(parts.states)(job)
    if not state.done and not state.is_active:
        safe.notice("info", f"No query came through all transforms, so there is no figure to show. {_way_out(state)}")
    if state.done:
        parts.whole(job, plan)
        number = parts.choose(job, plan)
        part = plan.parts()[number]
        for mode in plan.modes:
            board.show(*resources.measured(job, mode, number), mode=mode)
        safe.draw(safe.block(words.HOW, "qp-facts", "p"))
        looking.show(job, part, number)
        _left_out(job, part, number)
        with st.container(horizontal=True, key="ev_take"):
            _take(job)
            if state.status == "finished":
                again.show(job, plan)


def _way_out(state: JobState) -> str:
    return "Resume goes on from the texts that are written." if state.may_resume else "Start a new run."


def _left_out(job: Job, plan: Plan, number: int) -> None:
    found, _, _ = resources.measured(job, plan.modes[0], number)
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
        help="One line per query, transform, mode and part. Cells that look like formulas are made text.",
    )  # fmt: skip
    st.download_button(
        "JSON", partial(taking.to_json, job), f"{name}.json", "application/json", key="ev_json", on_click="ignore",
        help="The plan, every row, means, differences of all measures with their intervals.",
    )  # fmt: skip
    st.download_button(
        "TREC runs", partial(taking.to_trec, job), f"{name}-trec.zip", "application/zip", key="ev_trec",
        on_click="ignore", help="A run per transform and mode, under its number and the name in small on the "
        "leaderboard, and the judgements, for trec_eval and its kin.",
    )  # fmt: skip
    st.download_button(
        "Report", partial(taking.to_html, job), f"{name}.html", "text/html", key="ev_html", on_click="ignore",
        help="One HTML file that needs nothing else: figures, evidence, categories and every query.",
    )  # fmt: skip
