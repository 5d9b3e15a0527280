"""Which corpus this visit works on, also when somebody else deletes it in the meantime."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages._ui import safe


def corpus(corpora: Mapping[str, Any]) -> str | None:
    """The chosen corpus, or the first one where none was chosen yet. None when the chosen one is gone: nothing takes
    its place until a person says what."""
    state = st.session_state
    name: str | None = state["corpus"]
    if name is not None and name not in corpora:
        state["corpus_gone"], state["corpus"] = state["corpus_title"] or name, None
    elif name is None and state["corpus_gone"] is None:
        state["corpus"] = next(iter(corpora), None)
    name = state["corpus"]
    if name is not None:
        state["corpus_gone"], state["corpus_title"] = None, corpora[name].title
    return name


def say_gone() -> None:
    safe.notice("warning", f"The corpus “{st.session_state['corpus_gone']}” no longer exists. Choose another.")
