"""Below the cards: what can be read off a finished comparison. Only the open tab is drawn."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ir_core.schema import SearchResult
from pages._ui import safe, state
from pages.compare import sharing
from pages.compare.instruments import instruments
from pages.compare.running import Asked
from pages.compare.setup import Ready


def tabs(ready: Ready, asked: Asked, results: Sequence[SearchResult]) -> None:
    safe.heading("What it shows", 2)
    state.remember_link(sharing.link_of(ready, asked, with_history=st.session_state["share_history"]))
    found = instruments()
    drawn = st.tabs([item.label for item in found], key="reading", on_change="rerun")
    for item, tab in zip(found, drawn, strict=True):
        if tab.open:
            with tab:
                item.show(ready, asked, results)
