"""The page from top to bottom: what is measured, Start, the runs there are, and the one that is open."""

from __future__ import annotations

import streamlit as st

from pages._ui import run_list, safe
from pages.evaluate import run_panel, setup, starting
from pages.evaluate.family import RUNS


def show() -> None:
    """Parts that come and go stand in containers that are always there: what follows then keeps its place."""
    opened = RUNS.opened()
    with st.container(key="ev_new"):
        ready = setup.choose()
        if ready is not None:
            starting.choose(ready)
    with st.container(key="ev_runs"):
        run_list.show(RUNS, opened)
    with st.container(key="ev_run"):
        if opened:
            safe.guarded(lambda: run_panel.show(opened))
