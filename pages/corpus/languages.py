"""Languages that the embedder does not read, and the way to one that does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from ir_core import language
from ir_core.embedders import DEFAULT_EMBEDDER, EMBEDDERS, MULTILINGUAL, known_model
from ir_core.errors import ModelUnavailable
from ir_core.protocols import Embedder
from ir_core.schema import Artifact
from ir_core.strategies import text_of
from pages._ui import resources, safe, serving

OTHER = "another model …"
LOOKED_AT = 60
"""Documents, spread evenly, whose language is told; one takes about a millisecond."""
LEAST = 0.1
"""Share of the documents from which a language that is not read is worth a word."""


def opened(name: str) -> Embedder | None:
    """The embedder, what it reads and puts before texts said where its entry in the list does not; or None where it
    cannot be had: then what to do is said, with the way back."""
    try:
        reader = resources.embedder(name)
    except ModelUnavailable as error:
        safe.notice("error", error, detail=_way(name))
        if name != DEFAULT_EMBEDDER:
            label = getattr(EMBEDDERS.get(DEFAULT_EMBEDDER), "label", DEFAULT_EMBEDDER)
            st.button(f"Back to {safe.label(label)}", on_click=_back, key="embedder_back")
        return None
    if name not in EMBEDDERS:
        safe.draw(safe.block(_said(reader), "qp-facts", "p"))
    return reader


def _said(reader: Any) -> str:
    known = known_model(reader.name, str(reader.files.path))
    if reader.languages is not None:
        reads = "Reads " + ", ".join(map(language.name_of, sorted(reader.languages)))
    else:
        reads = f"Reads {known.about.partition(',')[0]}" if known else "Does not say which languages it reads"
    query, document = reader.query_prefix, reader.document_prefix
    puts = f" Puts “{query}” before queries and “{document}” before documents." if query or document else ""
    return f"{reads}; {reader.dim} dimensions.{puts}"


def _way(name: str) -> str:
    """How to have a model of the hub where there is no hub."""
    known = known_model(name)
    if known is None or not serving.on_this_machine():
        return ""
    folder = known.name.rpartition("/")[2]
    return (
        f"Without a network here: on a machine that has one, run “hf download {known.name} --local-dir {folder}” "
        f"({known.about}), bring the folder here, and type its path as the model."
    )


def suggest(loaded: Any, reader: Embedder) -> None:
    """Where documents are in languages that the embedder does not read: how many, what that means, and one click."""
    if reader.languages is None:
        return
    found, looked_at = _unread(loaded.artifacts, reader.languages)
    if sum(found.values()) < LEAST * looked_at:
        return
    names = [language.name_of(code) for code in list(found)[:3]]
    of = "All" if sum(found.values()) == looked_at else f"{sum(found.values())} of {looked_at}"
    seen = "documents" if looked_at == len(loaded.artifacts) else "documents looked at"
    mine = serving.on_this_machine()
    safe.notice(
        "warning",
        f"{of} {seen} are in {' and '.join(names)}, which {reader.name} does not read: its vectors of them are close "
        f"to noise, and only their words can be searched. {MULTILINGUAL.name} reads them ({MULTILINGUAL.about}).",
        detail="" if mine else "On this server only whoever runs it can add an embedder to the list.",
    )
    if mine:
        st.button("Use the multilingual embedder", on_click=choose, args=(MULTILINGUAL.name,), key="use_multilingual")


def _unread(artifacts: Sequence[Artifact], languages: frozenset[str]) -> tuple[Mapping[str, int], int]:
    """How many of the documents are in none of the languages, by their own; and of how many that was told."""
    texts = [text_of(one.raw) for one in artifacts[:: max(1, len(artifacts) // LOOKED_AT)][:LOOKED_AT]]
    return language.outside(texts, languages), len(texts)


def choose(name: str) -> None:
    """As if the name had been typed."""
    st.session_state["embedder"], st.session_state["embedder_name"] = OTHER, name


def _back() -> None:
    st.session_state["embedder"] = DEFAULT_EMBEDDER
