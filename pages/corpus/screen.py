"""The page from top to bottom: which corpus, how it becomes surfaces, what that would look like, building it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ir_core.library import CorpusInfo
from pages._ui import building, chosen, numbers, resources, safe
from pages.corpus import adding, health, keeping, preview, strategy


def show() -> None:
    corpora = {info.name: info for info in resources.corpora()}
    name = chosen.corpus(corpora)
    with st.container(key="added"):
        if name is not None and building.is_under_way(name):
            st.empty()  # what the last run said here goes at once
        adding.outcome()
    st.session_state["corpus_shown"] = name
    with st.container(horizontal=True, vertical_alignment="bottom", key="corpus_row"):
        if corpora:
            st.selectbox(
                "Corpus",
                list(corpora),
                index=0 if name else None,
                placeholder="choose one",
                format_func=lambda one: safe.sound(corpora[one].title),
                key="corpus_shown",
                on_change=_choose,
                width=340,
            )
        adding.bring()
    if not corpora:
        safe.notice("info", "There is no corpus yet. Bring documents of your own with the buttons above.")
        return
    if name is None:
        chosen.say_gone()
        return
    info = corpora[name]
    _about(info)
    progress = st.container(key="building")
    rest: Any = st.empty() if building.is_under_way(name) else st
    with progress:
        building.show(name)
    with rest.container(key="rest"):
        building.outcome(name)
        safe.guarded(lambda: _what_would_be_built(info))  # a corpus that cannot be read can still be deleted
        safe.guarded(lambda: health.panel(info))
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
