"""What was said before the query: a box of turns, on each page with turns of its own."""

from __future__ import annotations

import streamlit as st

from pages._ui import numbers, safe, state

MOST_TURNS, MOST_CHARS = 20, 8_000


def box(told: str, prefix: str = "") -> None:
    """:param prefix: begins the keys of the page's turns; see ``state.history``."""
    said = state.history(prefix)
    label = f"History: {numbers.count(len(said), 'turn')}" if said else "History: none"
    with st.popover(label, key=f"{prefix}history_box"):
        safe.draw(f'<p class="qp-facts">{safe.text(told)}</p>')
        for i in range(st.session_state[f"{prefix}turns"]):
            st.session_state.setdefault(f"{prefix}turn.{i}.role", state.ROLES[i % 2])
            st.radio(
                f"Turn {i + 1}", state.ROLES, key=f"{prefix}turn.{i}.role", horizontal=True, persist_state="session"
            )
            st.text_area(
                f"Text of turn {i + 1}", key=f"{prefix}turn.{i}.text", height=80, max_chars=MOST_CHARS,
                label_visibility="collapsed", persist_state="session",
            )  # fmt: skip
        with st.container(horizontal=True):
            st.button("Add a turn", key=f"{prefix}turn_more", on_click=_one_more, args=(prefix,))
            st.button(
                "Clear", key=f"{prefix}turn_clear", on_click=state.set_history, args=((), prefix), disabled=not said
            )


def _one_more(prefix: str) -> None:
    key = f"{prefix}turns"
    st.session_state[key] = min(MOST_TURNS, st.session_state[key] + 1)
