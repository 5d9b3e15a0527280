"""The run that is open: what it waits for, its leaderboards, its files, and another search of its texts."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from ir_core.config import MAX_K
from ir_core.evaluation import Plan, parse
from ir_core.jobs import Job
from ir_core.schema import MODE_LEGS
from pages._ui import evaluations, resources, run_acting, run_head, safe
from pages._ui.run_list import LOOK_S
from pages.evaluate import board, looking, parts, taking, words
from pages.evaluate.family import RUNS


def show(run_id: str) -> None:
    job = run_head.head(RUNS, run_id)
    if job is None:
        return
    plan, state = Plan.from_json(job.spec), job.state()
    st.fragment(run_every=LOOK_S if state.is_active else None, key="ev_states")(parts.states)(job)
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
                _again(job, plan)


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
            judge = replace(plan.judge, k=int(k)) if plan.judge else None
            changed = replace(plan, modes=tuple(modes), measures=measures, judge=judge)
            run_acting.guarded(RUNS, _begin_again, job, changed)
            st.rerun()


def _begin_again(job: Job, changed: Plan) -> None:
    RUNS.open_run(evaluations.search_again(job, changed).id)
