"""What is looked for in the surfaces: kept by corpus, so that another corpus starts without a filter."""

from __future__ import annotations

import streamlit as st

EMPTY = {
    "text": "", "document": "", "kind": None, "finding": None, "field": None, "operator": "$eq", "value": "",
    "page": 0,
}  # fmt: skip
"""What each part holds when it asks for nothing."""


def key(corpus: str, part: str) -> str:
    return f"browse.{corpus}.{part}"


def of_finding(corpus: str, name: str) -> None:
    """Show the surfaces of one finding, and no other condition."""
    clear(corpus)
    st.session_state[key(corpus, "finding")] = name
    st.session_state[f"look.{corpus}"] = "Browse"


def clear(corpus: str) -> None:
    for part, empty in EMPTY.items():
        st.session_state[key(corpus, part)] = empty


def first_page(corpus: str) -> None:
    """After a condition was changed."""
    st.session_state[key(corpus, "page")] = 0


def turn(corpus: str, page: int) -> None:
    st.session_state[key(corpus, "page")] = page
