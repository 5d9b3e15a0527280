"""The page from top to bottom: what is searched, who decides by which table, and one query, many, or a replay."""

from __future__ import annotations

import streamlit as st

from pages._ui import run_family, safe
from pages.router import choosing, many, memory, one, replaying, routing_table, setup, sharing, table_editor
from pages.router.family import REPLAYS


def show() -> None:
    memory.begin()
    sharing.take()
    if run_family.PARAM in st.query_params and REPLAYS.open_key not in st.session_state:
        st.session_state[memory.PART] = memory.REPLAY
    with st.container(key="rt_problems_box"):
        for problem in st.session_state["rt_problems"]:
            safe.notice("warning", problem)
        st.session_state["rt_problems"] = []
    ready = setup.choose()
    if ready is None:
        return
    with st.container(horizontal=True, vertical_alignment="top", key="rt_deciding", gap="large"):
        with st.container(width=440):
            decider = choosing.choose(ready)
        with st.container(width=300):
            routing_table.choose()
    table_editor.show()
    table = routing_table.usable()
    if table is None:
        return
    parts = {memory.ONE: one.show, memory.MANY: many.show, memory.REPLAY: replaying.show}
    tabs = st.tabs(memory.PARTS, key=memory.PART, on_change="rerun")
    for name, tab in zip(memory.PARTS, tabs, strict=True):
        if tab.open:
            with tab:
                parts[name](ready, decider, table)
