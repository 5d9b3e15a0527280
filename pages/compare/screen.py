"""The page from top to bottom: what is searched, what is asked, the cards, and what can be read off them."""

from __future__ import annotations

import streamlit as st

from pages._ui import building, safe, state
from pages.compare import asking, frozen, prompts_box, results, setup, sharing
from pages.compare.running import Asked, is_being_asked, run_of, start


def show() -> None:
    """Parts that come and go stand in containers that are always there: what follows then keeps its place."""
    if name := st.query_params.get("run"):
        frozen.show(name)
        return
    problems = st.container(key="problems")
    ready = setup.choose()
    if ready is not None:
        with st.container(key="outcome"):
            building.outcome(ready.corpus)
        asked, wanted = asking.ask(ready)
    if ready is not None and wanted and asking.can_be_asked(ready, asked):
        if not is_being_asked(ready, asked):
            start(ready, asked)
        state.remember_link(sharing.link_of(ready, asked, with_history=st.session_state["share_history"]))
    job = run_of(ready) if ready is not None else None
    with problems:
        if job is not None and not job.is_over:
            st.empty()  # what the last run said here goes at once
        for problem in st.session_state["problems"]:
            safe.notice("warning", problem)
    if ready is None:
        return
    answer = st.container(key="answer")
    prompts_box.show(ready, asked)  # below the cards, and drawn before them: they are followed to their end
    with answer:
        if job is None:
            safe.notice("info", _waiting_for(ready, asked))
        else:
            results.show(ready, job, asked, pressed=wanted)


def _waiting_for(ready: setup.Ready, asked: Asked) -> str:
    if not asked.query.strip():
        return "Nothing is typed yet. Type a question as you would ask it, or take an example, then press Compare."
    if asked.writer.missing:
        return "Filled in and waiting for its writer."
    if not asking.can_be_asked(ready, asked):
        return "Filled in. Nothing is searched until what stands above is mended; then press Compare."
    if asked.writer.may_cost:
        return f"Filled in and waiting: pressing Compare asks {asked.writer.label}, which may cost money."
    return "Press Compare to see this query through every chosen transform."
