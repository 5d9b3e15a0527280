"""One query through both indexes: the first ten of each, and how documents moved."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ir_core.index import Index
from ir_core.retrieval import SearchSettings, clean_query, default_mode, search
from ir_core.schema import ORIGINAL, Formulation, Query, SearchResult
from pages._ui import cards, moves, naming, numbers, resources, safe

K = 10


def show(info: Any, index: Index, other: Index) -> None:
    safe.heading("The same query through both", 3)
    with (
        st.form("beside_query", border=False),
        st.container(horizontal=True, vertical_alignment="bottom", key="beside_ask"),
    ):
        text = st.text_input("Query", key=f"beside_text.{info.name}", max_chars=2_000, placeholder=_example(info))
        st.form_submit_button("Search both", type="primary", key="beside_search")
    if not text.strip():
        said = "The query is searched as it is typed, by the mode that suits corpus and query."
        safe.draw(safe.block(said, "qp-facts", "p"))
        return
    (note, one), (_, two) = (_search(text, each) for each in (index, other))
    if note:
        safe.notice("info", note)
    shared = {hit.artifact_id for hit in one.fused.hits} & {hit.artifact_id for hit in two.fused.hits}
    said = (
        f"{numbers.count(len(shared), 'document')} of the first {K} are in both lists; moves are against the first."
    )
    safe.draw(safe.block(said, "qp-lead", "p"))
    left, right = st.columns(2, gap="medium")
    with left:
        safe.heading(f"In use: {naming.strategy(index.manifest.strategy)}", 4)
        _list(one, None)
    with right:
        safe.heading(f"Beside it: {naming.strategy(other.manifest.strategy)}", 4)
        _list(two, one)


def _example(info: Any) -> str | None:
    queries = resources.queries(info.name)
    return safe.sound(queries[0].text)[:80] if queries else None


def _search(text: str, index: Index) -> tuple[str | None, SearchResult]:
    """A note, where there is something to say about the query, and what it finds.

    :raises BadQuery: for a blank one.
    """
    engine = resources.engine_of(index)
    query, cut = clean_query(text, index.manifest.language)
    mode, why = default_mode(index.manifest, engine.embedder, query)
    words = Query(ORIGINAL, query)
    return cut or why, search(engine, Formulation("identity", "", words, (words,)), SearchSettings(mode=mode, k=K))


def _list(result: SearchResult, original: SearchResult | None) -> None:
    found = moves.moves(result, original)
    rows = [cards.hit_row(hit, found.get(hit.artifact_id), None) for hit in result.fused.hits]
    lost = moves.gone(result, original)
    if lost:
        names = ", ".join(f"“{hit.title}”" for hit in lost)
        rows.append(f'<p class="qp-gone">No longer among them: {safe.prose(names)}</p>')
    safe.draw("".join(rows) or safe.block("It finds nothing here.", "qp-facts", "p"))
