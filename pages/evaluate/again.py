"""Other retrieval over the texts of a finished run: nobody is asked, unless its judge is to rate the new lists."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from ir_core.budget import in_sentences
from ir_core.config import MAX_K
from ir_core.errors import QueryPrismError
from ir_core.evaluation import Judge, JudgePlan, Plan, open_index_of, open_writer_of, parse
from ir_core.evaluation.job import queries_of
from ir_core.evaluation.judge_estimate import estimate_judge
from ir_core.evaluation.judging_job import judge_writer
from ir_core.jobs import Job
from ir_core.schema import MODE_LEGS
from pages._ui import evaluations, numbers, resources, run_acting, safe, spending
from pages.evaluate.family import RUNS

NO_CALL = "Other retrieval over the texts of this run: no call, a run of its own."
WITH_JUDGE = "Other retrieval over the texts of this run, rated anew: a run of its own. The writer is not asked."


def show(job: Job, plan: Plan) -> None:
    with st.popover("Search these texts again", key="ev_again_box"):
        told = st.empty()
        modes = st.pills(
            "Retrieval", list(MODE_LEGS), selection_mode="multi", default=list(plan.modes), key=f"ev.modes.{job.id}"
        )
        k = st.number_input(
            "k", min_value=1, max_value=MAX_K, step=1, value=parse(plan.measures[0]).cutoff, key=f"ev.k.{job.id}"
        )
        judge = _judge(job, plan, int(k))
        with told:
            safe.draw(f'<p class="qp-facts">{WITH_JUDGE if judge else NO_CALL}</p>')
        if not modes:
            st.button("Search again", key=f"ev.again.{job.id}", disabled=True)
            return
        changed = plan.searched_again(judge, modes, int(k))
        problem = ""
        if judge:
            problem = _estimate(job, changed)
            changed = replace(changed, **_caps(job))
        if st.button("Search again", key=f"ev.again.{job.id}", type="primary", disabled=bool(problem)):
            run_acting.guarded(RUNS, _begin, job, changed)
            st.rerun()


def _judge(job: Job, plan: Plan, k: int) -> JudgePlan | None:
    """The run's own, where it had one and it is wanted again; it reads no more hits than a list will have."""
    if plan.judge is None or not st.checkbox(
        f"Let {_who(plan, plan.judge)} rate what is found", key=f"ev.again_judge.{job.id}",
        help="As in this run: the same rubric, hits and repeats. What it rated there is not asked again.",
    ):  # fmt: skip
        return None
    return replace(plan.judge, k=min(k, plan.judge.k))


def _who(plan: Plan, judge: JudgePlan) -> str:
    writer = judge_writer(plan, judge)
    return safe.label(writer.label or writer.name)


def _estimate(job: Job, changed: Plan) -> str:
    """Says what judging takes, and where what goes; gives what is in its way."""
    assert changed.judge is not None
    try:
        index = resources.readable_index(changed.corpus)
        current = index is not None and index.manifest.fingerprint == changed.index
        engine = resources.engine_of(index) if current and index else open_index_of(changed)
        asked = replace(judge_writer(changed, changed.judge), needs_key=False)
        judge = Judge(open_writer_of(replace(changed, writer=asked), engine), changed.judge)
        if judge.cannot:
            safe.notice("warning", judge.cannot)
            return judge.cannot
        found = estimate_judge(
            judge, queries_of(job), (len(changed.transforms) + len(changed.controls)) * len(changed.modes)
            * len(changed.parts()), engine.index, spent=spending.visit().spent(judge.writer.name),
        )  # fmt: skip
    except QueryPrismError as error:
        safe.notice("warning", error)
        return str(error)
    cost = "cost unknown" if found.cost_usd is None else f"~{numbers.dollars(found.cost_usd)}"
    told = f"At most {numbers.count(found.calls, 'call')} to {judge.writer.label}, {cost}."
    safe.draw(f'<p class="qp-facts">{safe.text(" ".join([told, *in_sentences([found.sent])]))}</p>')
    return ""


def _caps(job: Job) -> dict[str, Any]:
    """Those of the page as long as nobody writes others here: a change there shows here."""
    found: dict[str, Any] = {}
    with st.container(horizontal=True, gap="small"):
        for label, field, key, step in (
            ("Calls at most", "max_calls", "ev_calls", 1), ("Dollars at most", "max_usd", "ev_usd", 0.01)
        ):  # fmt: skip
            own = st.session_state.get(key)
            found[field] = st.number_input(
                label, key=f"ev.again_cap.{job.id}.{field}.{own}", value=own, min_value=type(step)(0), step=step,
                placeholder="no cap", format=None if isinstance(step, int) else "%g",
            )  # fmt: skip
    return found


def _begin(job: Job, changed: Plan) -> None:
    RUNS.open_run(evaluations.search_again(job, changed).id)
