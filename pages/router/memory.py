"""What this page remembers of a visit: ids and choices; the corpus and the writer are those of all pages."""

from __future__ import annotations

from typing import Any

import streamlit as st

PREFIX = "rt_"
"""Begins the keys of its turns; see ``state.history``."""
STARTS: dict[str, Any] = {
    "rt_query": "",
    "rt_turns": 0,
    "rt_mode": None,
    "rt_k": 5,
    "rt_decider": "rules",
    "rt_table": "ours",
    "rt_line": "",
    "rt_filled": None,
    "rt_condense_first": False,
    "rt_override": None,
    "rt_ask": False,
    "rt_job": None,
    "rt_many": None,
    "rt_problems": [],
    "rt_link_seen": None,
    "rt_share_history": False,
}
ONE, MANY, REPLAY = "One query", "Many queries", "Replay"
PARTS = (ONE, MANY, REPLAY)
PART = "rt_part"


def begin() -> None:
    """Before any widget of the page is drawn."""
    for key, value in STARTS.items():
        if key not in st.session_state:
            st.session_state[key] = value.copy() if isinstance(value, list) else value
