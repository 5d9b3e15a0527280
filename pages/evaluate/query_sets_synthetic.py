"""Synthetic questions: how many, what they will take, a cap, and a way to stop."""

from __future__ import annotations

import threading
from typing import Any

import streamlit as st

from ir_core.budget import Cap, Estimate, Purse, capped
from ir_core.errors import Cancelled, QueryPrismError
from ir_core.evaluation import synthetic
from ir_core.protocols import Progress
from ir_core.retrieval import Engine
from pages._ui import numbers, resources, safe, spending, trouble, writers
from pages._ui.jobs import BY_HAND, Emit, Job

LOOK_S = 1.0
START = 30
HINT = (
    "The writer asks one question about each of some passages, drawn at random; the document of the passage is what "
    "should be found. Good for a first look where nobody judged anything. Such questions borrow the words of their "
    "passage: how far is measured, and shown with the set."
)
WAY_OUT = "Raise it where the questions are asked for."


def show(corpus: str) -> None:
    safe.draw(f'<p class="qp-facts">{HINT}</p>')
    job = resources.askings().get(st.session_state.get("ev_asking"))
    if job and not job.is_over:
        st.fragment(run_every=LOOK_S, key="ev_asking_box")(_under_way)(job)
        return
    if job:
        _over(job)
    engine = resources.engine(corpus)
    if engine is not None:
        _form(corpus, engine)


def _form(corpus: str, engine: Engine) -> None:
    choice = writers.current()
    try:
        writer = writers.open_chosen(choice, engine.index)
    except QueryPrismError as error:
        safe.notice("warning", error)
        return
    why = synthetic.cannot(writer)
    n = int(st.number_input("Questions", 1, synthetic.MOST_QUESTIONS, START, 1, key="ev_ask_n", width=130))
    if why:
        said = f"{why} Open Writer, at the top, and choose a model."
        safe.draw(f'<p class="qp-facts">{safe.text(said)}</p>')
    else:
        found = synthetic.foreseen(engine.index, writer, n, spent=spending.visit().spent(writer.name))
        safe.draw(f'<p class="qp-facts">{safe.text(_line(found))}</p>')
        with st.container(horizontal=True, gap="small"):
            for label, key, step in (("Calls at most", "ev_ask_calls", 1), ("Dollars at most", "ev_ask_usd", 0.01)):
                st.number_input(
                    label, key=key, value=None, min_value=type(step)(0), step=step, placeholder="no cap", width=150,
                    format=None if isinstance(step, int) else "%g",
                )  # fmt: skip
    st.button("Write the questions", type="primary", key="ev_ask", disabled=bool(why), on_click=_start,
              args=(corpus, engine, n))  # fmt: skip


def _line(found: Estimate) -> str:
    parts = [
        f"≈ {numbers.count(found.calls, 'call')}" + (f", {found.kept:,} kept" if found.kept else ""),
        *([] if found.seconds is None else [f"~{numbers.seconds(found.seconds)}"]),
        "cost unknown" if found.cost_usd is None else f"~{numbers.dollars(found.cost_usd)}",
        *found.leaves,
    ]
    return " · ".join(parts)


def _start(corpus: str, engine: Engine, n: int) -> None:
    state = st.session_state
    choice, visit = writers.current(), spending.visit()
    cap = Cap(state.get("ev_ask_calls"), state.get("ev_ask_usd"))
    own = Purse(cap, what="these questions", way_out=WAY_OUT)

    def work(emit: Emit, cancel: threading.Event) -> Any:
        writer = capped(writers.open_chosen(choice, engine.index), own, visit)
        made = synthetic.ask_about(engine, writer, n, cancel=cancel, on_progress=emit)
        return synthetic.keep(corpus, made, writer), made.said

    state["ev_asking"] = resources.askings().start(corpus, work).id


def _under_way(job: Job) -> None:
    if job.is_over:
        st.rerun()
    events: list[Progress] = [one for one in job.events if isinstance(one, Progress)]
    done = f"{events[-1].done:,} of {events[-1].total:,} questions" if events else "getting ready"
    share = 100 * events[-1].done / events[-1].total if events else 0.0
    safe.draw(
        f'<p class="qp-facts" role="status">{safe.text(done)}</p><div class="qp-bar" role="progressbar" '
        f'aria-label="Questions written" aria-valuemin="0" aria-valuemax="100" aria-valuenow="{share:.0f}">'
        f'<span style="width:{share:.1f}%"></span></div>'
    )
    st.button("Cancel", key="ev_ask_cancel", on_click=job.stop, args=(BY_HAND,))


def _over(job: Job) -> None:
    """Said until another is begun; the set is chosen once."""
    error = job.error
    if isinstance(error, Cancelled):
        safe.notice("info", "Cancelled. No set was made; what was written is kept, and not paid for again.")
    elif error is not None:
        safe.notice("error", error if isinstance(error, QueryPrismError) else trouble.report(error))
    elif job.result is not None:
        made, said = job.result
        job.result = None
        st.session_state["ev_asking"], st.session_state["ev_set_made"] = None, (made, said)
        st.rerun()
