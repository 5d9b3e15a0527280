"""The page from top to bottom: what is measured, Start, the runs there are, and the one that is open."""

from __future__ import annotations

import streamlit as st

from pages._ui import safe
from pages.evaluate import listing, run_panel, setup, showing, starting


def show() -> None:
    """Parts that come and go stand in containers that are always there: what follows then keeps its place."""
    opened = showing.opened()
    with st.container(key="ev_new"):
        ready = setup.choose()
        if ready is not None:
            starting.choose(ready)
    with st.container(key="ev_runs"):
        listing.show(opened)
    with st.container(key="ev_run"):
        if opened:
            safe.guarded(lambda: run_panel.show(opened))
