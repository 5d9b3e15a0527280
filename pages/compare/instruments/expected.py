"""Choose the expected document, and see where it is under every transform."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ir_core.schema import SearchResult
from pages._ui import moves, safe
from pages.compare import wanted
from pages.compare.running import Asked
from pages.compare.setup import Ready

LABEL = "Expected document"
ORDER = 80
MOST = 50


def show(ready: Ready, asked: Asked, results: Sequence[SearchResult]) -> None:
    index = ready.engine.index
    part = st.text_input(
        "Title or id contains", key="expected_part", placeholder="type a part of the title", max_chars=200
    )
    titles = dict(zip(index.artifact_ids, index.titles, strict=True))
    expected = st.session_state["expected"]
    if expected is not None and expected not in titles:
        safe.notice("warning", f"The expected document {expected!r} is not in this index (any more).")
    found = [name for name, title in titles.items() if part.casefold() in f"{title} {name}".casefold()]
    options = found[:MOST]
    if expected in titles and expected not in options:
        options = [expected, *options]
    st.selectbox(
        f"Expected document ({len(found):,} match)",
        options,
        key="expected",
        index=None,
        placeholder="none chosen",
        persist_state="session",
        format_func=lambda name: safe.sound(f"{titles.get(name, name)} ({name})")[:160],
    )
    relevant = wanted.judged(ready, asked.query)
    looked_for = list(dict.fromkeys([*([expected] if expected in titles else []), *relevant]))
    if not looked_for:
        safe.notice("info", "Nobody has judged this query. Choose the document you expect, and every card marks it.")
        return
    rows = []
    for name in looked_for:
        for number, result in enumerate(results):
            rank, said = moves.place(result, name)
            rows.append(
                {
                    "document": titles.get(name, name),
                    "looked for as": "expected" if name == expected else "judged relevant",
                    "transform": f"{number + 1}. {result.formulation.title}",
                    "rank": str(rank or "–"),
                    "where it is": said,
                }
            )
    safe.table(rows, hide_index=True, alt="Where each document that is looked for went, per transform")
