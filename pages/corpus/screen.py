"""The page from top to bottom: which corpus, how it becomes surfaces, what that would look like, building it."""

from __future__ import annotations

import streamlit as st

from pages._ui import building, numbers, resources, safe
from pages.corpus import adding, keeping, preview, strategy


def show() -> None:
    corpora = {info.name: info for info in resources.corpora()}
    adding.outcome()
    if st.session_state["corpus"] not in corpora:
        st.session_state["corpus"] = next(iter(corpora), None)
    st.session_state["corpus_shown"] = st.session_state["corpus"]
    with st.container(horizontal=True, vertical_alignment="bottom", key="corpus_row"):
        if corpora:
            st.selectbox(
                "Corpus",
                list(corpora),
                format_func=lambda one: safe.sound(corpora[one].title),
                key="corpus_shown",
                on_change=_choose,
                width=340,
            )
        adding.bring()
    if not corpora:
        safe.notice("info", "There is no corpus yet. Bring documents of your own with the buttons above.")
        return
    info = corpora[st.session_state["corpus"]]
    _about(info)
    building.show(info.name)
    building.outcome(info.name)
    loaded = resources.loaded(info.name)
    order = strategy.choose(info, loaded)
    if order is not None:
        preview.show(info, loaded, order)
    keeping.panel(info)


def _choose() -> None:
    st.session_state["corpus"] = st.session_state["corpus_shown"]


def _about(info: object) -> None:
    kinds = {
        "sample": "sample corpus",
        "upload": "uploaded here",
        "folder": "folder on this machine",
        "environment": "installed packages",
    }
    facts = [
        kinds.get(info.kind, info.kind),
        numbers.count(info.n_documents, "document"),
        numbers.size(info.bytes),
        f"language {info.language}" if info.language else "language not known",
    ]
    description = safe.block(info.description, "qp-lead", "p") if info.description else ""
    safe.draw(description + safe.block(" · ".join(facts), "qp-facts", "p"))
