"""Below the cards: what can be read off a finished comparison. Only the open tab is drawn, and what is done in it
draws the tabs anew and nothing else: hundreds of hits above them would be drawn for nothing."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ir_core.schema import SearchResult
from pages._ui import safe, state
from pages.compare import sharing, wanted
from pages.compare.instruments import instruments
from pages.compare.running import Asked
from pages.compare.setup import Ready


def tabs(ready: Ready, asked: Asked, results: Sequence[SearchResult]) -> None:
    safe.heading("What it shows", 2)
    wanted.is_drawn()
    _tabs(ready, asked, results)


@st.fragment
def _tabs(ready: Ready, asked: Asked, results: Sequence[SearchResult]) -> None:
    state.remember_link(sharing.link_of(ready, asked, with_history=st.session_state["share_history"]))
    found = instruments()
    drawn = st.tabs([item.label for item in found], key="reading", on_change="rerun")
    for item, tab in zip(found, drawn, strict=True):
        if tab.open:
            with tab:
                item.show(ready, asked, results)
    if wanted.is_to_be_drawn():  # last: a widget that is not drawn in a run is forgotten
        st.rerun(scope="app")
