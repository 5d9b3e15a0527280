"""Choose the document that should have been found, and see under every transform where it is or where it was lost."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ir_core.analysis.find import Document, find
from ir_core.analysis.find.document import closest
from ir_core.schema import SearchResult
from pages._ui import resources, safe
from pages.compare import wanted
from pages.compare.instruments import _find_parts as parts
from pages.compare.running import Asked
from pages.compare.setup import Ready

LABEL = "Find a document"
ORDER = 80
MOST = 50
JUDGED = 8


def show(ready: Ready, asked: Asked, results: Sequence[SearchResult]) -> None:
    index = ready.engine.index
    titles = dict(zip(index.artifact_ids, index.titles, strict=True))
    name = _chosen(ready, asked, titles)
    if name is None:
        said = "Choose the document that you expected: every stage then says where it is, or where it was lost."
        safe.notice("info", f"Nobody has judged this query. {said}")
        return
    loaded = None if name in titles else resources.loaded(ready.corpus)
    found = find(ready.engine, name, results, asked.settings, loaded=loaded)
    _document(found)
    if found.artifact_id in titles:
        parts.verdicts(found)
        parts.stage_table(found)
        parts.detail(ready.engine.index, found)


def _chosen(ready: Ready, asked: Asked, titles: dict[str, str]) -> str | None:
    """The document to look for: chosen, typed, or judged relevant for this query."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="find_choice"):
        part = st.text_input(
            "Title or id contains",
            key="expected_part",
            placeholder="type a part of the title",
            max_chars=200,
            width=300,
        ).strip()
        expected = st.session_state["expected"]
        matching = [name for name, title in titles.items() if part.casefold() in f"{title} {name}".casefold()]
        near = matching or [name for name, _ in closest(part, list(titles), list(titles.values()))]
        options = near[:MOST]
        if expected and expected not in options:
            options = [expected, *options]
        st.selectbox(
            f"Expected document ({len(matching):,} match)" if matching else "Expected document (the closest)",
            options,
            key="expected",
            index=None,
            placeholder="none chosen",
            persist_state="session",
            on_change=wanted.draw_page,  # the cards mark it
            format_func=lambda name: safe.sound(f"{titles.get(name, name)} ({name})")[:160],
            width=460,
        )
    if part and not matching and not st.session_state["expected"]:
        return part
    relevant = list(wanted.judged(ready, asked.query))
    looked_for = list(dict.fromkeys([*([expected] if expected else []), *relevant]))[:JUDGED]
    if len(looked_for) < 2:
        return looked_for[0] if looked_for else None
    picked = st.radio(
        "Look for",
        looked_for,
        horizontal=True,
        key="find_which",
        format_func=lambda name: safe.label(
            f"{titles.get(name, name)} · {'expected' if name == expected else 'judged relevant'}"
        ),
    )
    return picked or looked_for[0]


def _document(found: Document) -> None:
    """What it is, and what holds for every transform."""
    safe.heading(found.title or found.asked, 3)
    if found.status == "unknown":
        safe.notice("warning", _sentence(found.reason), detail=" ".join(found.changes))
        return
    if found.status != "indexed":
        safe.notice("warning", f"“{found.title}” {found.reason}.", detail=" ".join(found.changes))
        return
    kinds = ", ".join(sorted({surface.kind for surface in found.surfaces}))
    count = len(found.surfaces)
    facts = f"{found.artifact_id} · {count} surface{'' if count == 1 else 's'} ({kinds})"
    over = sum(surface.read < surface.chars for surface in found.surfaces)
    if over:
        facts += f" · {over} longer than the embedder reads"
    safe.draw(safe.block(facts, "qp-facts", "p"))
    if found.reason:
        safe.notice("warning", _sentence(found.reason))


def _sentence(text: str | None) -> str:
    return f"{(text or '')[:1].upper()}{(text or '')[1:]}."
