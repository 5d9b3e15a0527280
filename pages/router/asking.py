"""One query: typed, or one of the corpus' own; with what was said before it."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from ir_core.library import JudgedQuery
from ir_core.router import LABELS, TITLES, RouteTable
from pages._ui import safe, state, turns, writers
from pages.router import running
from pages.router.choosing import Chosen
from pages.router.memory import PREFIX
from pages.router.running import Asked
from pages.router.setup import Ready


def ask(ready: Ready, decider: Chosen, table: RouteTable) -> tuple[Asked, bool]:
    """Draw the form; what would be routed, and whether a person wants it now."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="rt_ask_row"):
        query = st.text_input(
            "Query", key="rt_query", placeholder="Type a question as you would ask it", persist_state="session",
            on_change=_typed, autocomplete="off",
        )  # fmt: skip
        pressed = st.button("Route", type="primary", key="rt_route", width=150, on_click=_decide_anew)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="rt_examples"):
        turns.box("What was said before the query: it decides whether this is a follow-up.", PREFIX)
        found = _one_each(ready)
        if found:
            safe.draw('<p class="qp-row-label">Examples</p>', width="content")
        for label, item in found.items():
            st.button(
                safe.label(TITLES[label]), key=f"rt_example.{label}", type="tertiary", on_click=_take, args=(item,),
                help=safe.label(item.text, 200),
            )  # fmt: skip
    asked = Asked(
        (running.one(query or "", state.history(PREFIX)),), decider, table, writers.current(), ready.settings,
        st.session_state["rt_override"],
    )  # fmt: skip
    wanted = pressed or st.session_state["rt_ask"]
    st.session_state["rt_ask"] = False
    return asked, bool(wanted) and bool(asked.queries[0].text) and not asked.writer.missing


def _typed() -> None:
    """Enter routes at once where that costs nothing."""
    _decide_anew()
    st.session_state["rt_ask"] = bool(st.session_state["rt_query"].strip()) and not writers.current().is_llm


def _decide_anew() -> None:
    """A label that was chosen belongs to the query it was chosen for."""
    st.session_state["rt_override"] = None


def _take(item: JudgedQuery) -> None:
    st.session_state["rt_query"] = item.text
    state.set_history(item.history, PREFIX)
    _typed()


def _one_each(ready: Ready) -> Mapping[str, JudgedQuery]:
    """One judged query of each label, by label; those the corpus' authors call the boss set come first."""
    kept: dict[str, JudgedQuery] = {}
    for item in sorted(ready.queries, key=lambda one: (one.set != "boss", one.split != "tune", one.id)):
        if item.category is not None and item.category in LABELS:
            kept.setdefault(item.category, item)
    return {label: kept[label] for label in LABELS if label in kept}
