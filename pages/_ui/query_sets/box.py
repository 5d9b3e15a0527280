"""The box that says which of a corpus' query sets is measured."""

from __future__ import annotations

import streamlit as st

from ir_core.library.sets import KINDS, OWN
from pages._ui import resources, safe


def choose(corpus: str, key: str) -> str | None:
    """The name of the chosen set; None is the corpus' own, which is chosen where the one before is gone."""
    found = {one.name: one for one in resources.query_sets(corpus)}
    state = st.session_state
    if state.get(key) not in found:
        state[key] = OWN
    now = found[state[key]]
    name = st.selectbox(
        "Query set",
        list(found),
        key=key,
        format_func=lambda one: safe.sound(found[one].title),
        help=safe.label(f"{now.title}: {KINDS[now.kind]}.", 300),
        width=210,
        persist_state="session",
    )
    return None if name == OWN else str(name)
