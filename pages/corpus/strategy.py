"""How documents become surfaces: a strategy with its settings, an embedder, and what the word index is tuned by."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from ir_core import session
from ir_core.embedders import DEFAULT_EMBEDDER, EMBEDDERS
from ir_core.errors import QueryPrismError
from ir_core.index import IndexSettings
from ir_core.params import make
from ir_core.strategies import DFLT_CHUNK_MAX_TOKENS, STRATEGIES, strategy_to_spec
from pages._ui import forms, resources, safe, serving
from pages._ui.building import Order
from pages.corpus import languages
from pages.corpus.languages import OTHER

STARTS = {"Chunked": {"max_tokens": DFLT_CHUNK_MAX_TOKENS}}
"""Where the form starts other than at the class' own defaults: chunks that the embedder reads to their end."""


def choose(info: Any, loaded: Any) -> Order | None:
    """Draw the form, which starts from what the index was built with; what would be built, or None while a setting
    is wrong."""
    safe.heading("How documents become surfaces", 2)
    key = f"strategy.{info.name}"
    own = session.default_strategy(info, loaded)
    index = resources.readable_index(info.name)
    made = index.manifest if index else None
    start = made.strategy if made else own
    names = list(STRATEGIES.names())
    if key not in st.session_state:
        st.session_state[key] = start["name"] if start["name"] in names else names[0]
    left, right = st.columns([1, 1], gap="medium")
    with left:
        name = (
            st.selectbox("Indexing strategy", names, format_func=_label, key=key, persist_state="session") or names[0]
        )
        member: Any = STRATEGIES.get(name)
        said = member.summary + (" This corpus' own choice." if name == own["name"] else "")
        safe.draw(safe.block(said, "qp-facts", "p"))
        known = [spec["params"] for spec in (start, own) if spec["name"] == name and spec.get("params")]
        initial = known[0] if known else STARTS.get(name, {})
        values = forms.settings_form(member, f"{key}.{name}", initial=initial)
    with right:
        embedder = _embedder(made.embedder if made else DEFAULT_EMBEDDER)
        tuned = {"k1": made.k1, "b": made.b} if made else None
        settings = make(IndexSettings, forms.settings_form(IndexSettings, f"index.{info.name}", initial=tuned))
        settings = replace(settings, filter_fields=info.filter_fields)
    reader = languages.opened(embedder)
    if reader is None:
        return None
    languages.suggest(loaded, reader)
    try:
        spec = strategy_to_spec(make(member, values))
    except QueryPrismError as error:
        safe.notice("error", error)
        return None
    return Order(info.name, spec, embedder, settings)


def _label(name: str) -> str:
    return str(getattr(STRATEGIES.get(name), "label", name))


def _embedder(start: str) -> str:
    names = [*EMBEDDERS.names(), *([OTHER] if serving.on_this_machine() else [])]
    if "embedder" not in st.session_state:
        st.session_state["embedder"] = start if start in names else names[-1]
        if start not in names:
            st.session_state["embedder_name"] = start
    chosen = st.selectbox(
        "Embedder",
        names,
        key="embedder",
        persist_state="session",
        format_func=lambda one: one if one == OTHER else f"{EMBEDDERS.get(one).label}",
    )
    if chosen == OTHER:
        typed = st.text_input(
            "Model of sentence-transformers",
            key="embedder_name",
            placeholder="owner/model, or a folder",
            max_chars=200,
            help="A name on the hub (it needs a network the first time), or the path of a folder that holds a model.",
            persist_state="session",
        ).strip()
        return typed or DEFAULT_EMBEDDER
    safe.draw(safe.block(EMBEDDERS.get(chosen or DEFAULT_EMBEDDER).summary, "qp-facts", "p"))
    return chosen or DEFAULT_EMBEDDER
