"""What a person types for a transform: the text of "Yours", and the steps of a chain."""

from __future__ import annotations

import streamlit as st

from ir_core.params import params_of
from ir_core.transforms import TRANSFORMS
from ir_core.transforms.you import TYPE
from pages._ui import safe, writers

YOU, CHAIN = "you", "chain"
KIND, TEXT, STEPS = "t.you.kind", "t.you.text", "t.chain.steps"
MOST_CHARS = 2_000
"""It travels in the link."""


def yours() -> None:
    """Right above the cards, so that it stands in its place while they are drawn anew; nothing where it is not
    chosen."""
    if YOU not in st.session_state["transforms"]:
        return
    for setting in params_of(TRANSFORMS.get(YOU)):
        st.session_state.setdefault(f"t.you.{setting.name}", setting.default)
    with st.container(key="yours"):
        safe.heading("Yours", 2)
        with st.container(horizontal=True, vertical_alignment="top", key="yours_row"):
            st.radio("Kind", list(TYPE), key=KIND, persist_state="session", width=170, on_change=_typed)
            kind = st.session_state[KIND]
            st.text_area(
                TYPE[kind],
                key=TEXT,
                height=128,
                max_chars=MOST_CHARS,
                persist_state="session",
                on_change=_typed,
                help="Searched and fused as a writer's text would be. Nobody is asked, and it is part of the link.",
            )


def _typed() -> None:
    """Asks at once where that costs nothing, as the query does."""
    ready = bool(st.session_state["query"].strip()) and bool(st.session_state[TEXT].strip())
    st.session_state["ask"] = ready and not writers.current().is_llm


def add_step() -> None:
    """Below the chain's own field: a step more, or one less."""
    names = [name for name in TRANSFORMS.names() if name not in {CHAIN, "identity"}]
    st.selectbox(
        "Add a step",
        names,
        index=None,
        key="chain_more",
        placeholder="choose a transform",
        format_func=lambda name: safe.label(f"{name}: {TRANSFORMS.get(name).label}"),
        on_change=_added,
    )
    st.button("Take the last step out", key="chain_less", on_click=_taken_out)


def _added() -> None:
    name = st.session_state["chain_more"]
    if name:
        before = st.session_state[STEPS].strip().rstrip(">").rstrip()
        st.session_state[STEPS] = f"{before} > {name}" if before else name
    st.session_state["chain_more"] = None


def _taken_out() -> None:
    st.session_state[STEPS] = st.session_state[STEPS].rpartition(">")[0].strip()
