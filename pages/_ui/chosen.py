"""Which corpus this visit works on, also when somebody else deletes it in the meantime."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from ir_core.errors import IndexProblem
from ir_core.retrieval import Engine
from pages._ui import resources, safe


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


def choose(corpora: Mapping[str, Any], key: str, on_change: Callable[[], None]) -> str | None:
    """A box of that key for a page of its own, which follows what the other pages chose."""
    name = corpus(corpora)
    st.session_state[key] = name

    def take() -> None:
        st.session_state["corpus"] = st.session_state[key]
        on_change()

    st.selectbox(
        "Corpus",
        list(corpora),
        index=0 if name else None,
        placeholder="choose one",
        format_func=lambda one: safe.sound(corpora[one].title),
        key=key,
        on_change=take,
        width=260,
    )
    return name


def opened(name: str | None) -> tuple[Engine | None, str | None]:
    """Its engine, or why an index that is there cannot be used; neither where there is none."""
    try:
        return (resources.engine(name) if name else None), None
    except IndexProblem as error:
        return None, str(error)


def say_closed(title: str, damage: str | None) -> None:
    """What a page says that does not build itself."""
    if damage:
        safe.notice("error", damage)
    else:
        safe.notice("info", f"{title} has no index to search yet. Build it on the Corpus page, then come back.")


def say_gone() -> None:
    safe.notice("warning", f"The corpus “{st.session_state['corpus_gone']}” no longer exists. Choose another.")
