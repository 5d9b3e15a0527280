"""A scene in which the strategy decides: one question over the corpus as it was indexed, and indexed otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from ir_core import session
from ir_core.library import Scene
from ir_core.retrieval import search
from ir_core.schema import Hit, SearchResult
from ir_core.strategies import STRATEGIES
from pages._ui import resources, safe
from pages.compare.running import Asked
from pages.compare.setup import Ready

MARK = "★ "


def other(scene: Scene, ready: Ready, asked: Asked, original: SearchResult) -> SearchResult | None:
    """What the original query finds in an index by the scene's strategy, made once and never the corpus' current one.

    None, with the reason on the page, where it cannot be made."""
    key = f"{scene.id} {asked.settings!r} {ready.manifest.fingerprint}"

    def searched() -> SearchResult:  # the result is kept and not the engine, whose files may be gone later
        embedder = ready.engine.index.manifest.embedder
        prepared = session.prepare(ready.corpus, strategy=scene.strategy or {}, embedder=embedder)
        return search(session.open_engine(prepared, make_current=False), original.formulation, asked.settings)

    def made() -> Any:
        with st.spinner("Indexing the sample by the other strategy, once"):
            return resources.computed(key, searched)

    found: SearchResult | None = safe.guarded(made)
    return found


def table(scene: Scene, ready: Ready, original: SearchResult, otherwise: SearchResult) -> None:
    """Both rankings of the original query, place by place; the looked-for document is marked."""
    mine, theirs = label(ready.manifest.strategy), label(scene.strategy or {})
    here, there = ([_cell(scene, hit) for hit in one.fused.hits] for one in (original, otherwise))
    rows = [
        {"rank": place + 1, f"As indexed: {mine}": _at(here, place), f"Otherwise: {theirs}": _at(there, place)}
        for place in range(max(len(here), len(there)))
    ]
    said = f"The original query over two indexes of the sample: {mine}, and {theirs}"
    safe.table(rows, hide_index=True, alt=said, column_config={"rank": st.column_config.NumberColumn(width=50)})


def label(spec: Mapping[str, Any]) -> str:
    """The strategy's label, with the switches that are on."""
    switched = [name for name, value in (spec.get("params") or {}).items() if value is True]
    return " with ".join([STRATEGIES.get(str(spec["name"])).label, *switched])


def _cell(scene: Scene, hit: Hit) -> str:
    return f"{MARK if hit.artifact_id == scene.looked_for else ''}{hit.title} ({hit.kind})"


def _at(cells: list[str], place: int) -> str:
    return cells[place] if place < len(cells) else "–"
