"""Which run is open: in the visit and in the address, so that a link or a reload opens it cold."""

from __future__ import annotations

import streamlit as st

OPEN, PARAM = "ev_run", "run"


def open_run(run_id: str | None) -> None:
    """From a callback, or before anything of the run is drawn."""
    st.session_state[OPEN] = run_id
    if run_id is None:
        st.query_params.pop(PARAM, None)


def opened() -> str | None:
    """What the address names when it is opened cold, else what this visit has open; the address follows."""
    named, known = st.query_params.get(PARAM), st.session_state.get(OPEN)
    if known is None and OPEN not in st.session_state:
        known = st.session_state[OPEN] = named
    elif named != st.session_state.get("ev_named") and named:
        known = st.session_state[OPEN] = named  # another link in the same visit
    if known and named != known:
        st.query_params[PARAM] = known
    st.session_state["ev_named"] = known
    return known
