"""The page from top to bottom: which corpus, how it becomes surfaces, what that would look like, building it."""

from __future__ import annotations

import streamlit as st

from ir_core.library import CorpusInfo
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
    safe.guarded(lambda: _what_would_be_built(info))  # a corpus that cannot be read can still be deleted
    keeping.panel(info)


def _what_would_be_built(info: CorpusInfo) -> None:
    loaded = resources.loaded(info.name)
    order = strategy.choose(info, loaded)
    if order is not None:
        preview.show(info, loaded, order)


def _choose() -> None:
    adding.forget()
    st.session_state.pop("embedder", None)  # starts from what that corpus' index was built with
    st.session_state["corpus"] = st.session_state["corpus_shown"]


def _about(info: CorpusInfo) -> None:
    kinds = {
        "sample": "sample corpus",
        "upload": "uploaded here",
        "folder": "folder on this machine",
        "environment": "installed packages",
    }
    facts = [
        kinds.get(info.kind, info.kind),
        numbers.count(info.n_documents, "document") if info.n_documents is not None else "documents not counted yet",
        numbers.size(info.bytes),
        f"language {info.language}" if info.language else "language not known",
    ]
    description = safe.block(info.description, "qp-lead", "p") if info.description else ""
    safe.draw(description + safe.block(" · ".join(facts), "qp-facts", "p"))
