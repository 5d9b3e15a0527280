"""Taking a comparison away: a link that asks the same, a table, and everything as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import streamlit as st

from ir_core.config import MAX_QUERY_CHARS
from ir_core.schema import SearchResult
from ir_core.strategies import STRATEGY_REGISTRY
from pages._ui import export, links, safe
from pages._ui.prompts_state import UNCHANGED, Wording
from pages.compare.running import Asked
from pages.compare.setup import Ready


def link_of(ready: Ready, asked: Asked, *, with_history: bool) -> links.Link:
    """The comparison by stable ids. A key is never part of it; the history only when asked for."""
    made = ready.manifest.strategy
    return links.Link(
        corpus=ready.corpus,
        query=asked.query.strip()[:MAX_QUERY_CHARS],  # no more of it is searched
        mode=asked.mode,
        k=asked.k,
        transforms=asked.choices,
        writer=asked.writer.name,
        own_server=bool(asked.writer.base_url),
        strategy=links.named(made["name"], STRATEGY_REGISTRY.get(made["name"]), made.get("params") or {}),
        index=ready.manifest.fingerprint,
        filter=asked.filter,
        kinds=asked.kinds,
        expected=st.session_state["expected"],
        history=asked.history if with_history else (),
    )


def panel(ready: Ready, asked: Asked, results: Sequence[SearchResult]) -> None:
    if asked.history:
        st.checkbox(
            "Put the conversation into the link, too",
            key="share_history",
            persist_state="session",
            help="Whoever has the link can then read what was said before the query.",
        )
    link = link_of(ready, asked, with_history=st.session_state["share_history"])
    safe.draw(
        '<p class="qp-lead">This link asks the same again. It holds no key. Copy it with the button at its right.</p>'
    )
    st.code(links.url(st.context.url or "", link), language=None, wrap_lines=True)
    if asked.writer.may_cost:
        safe.draw(
            '<p class="qp-facts">It opens filled in and waits for Compare, since the writer may cost money.</p>'
        )
    if asked.writer.wording != UNCHANGED:
        said = "Prompts edited here and languages fixed here are not in the link: it asks with the bank's own."
        safe.notice("info", said)
    name = f"query-prism-{ready.corpus}"
    with st.container(horizontal=True):
        st.download_button(
            "CSV",
            export.to_csv(results),
            f"{name}.csv",
            "text/csv",
            key="csv",
            on_click="ignore",
            help="One line per hit. Cells that look like formulas are made text.",
        )
        st.download_button(
            "JSON",
            export.to_json(asked.query, _config(ready, asked), results),
            f"{name}.json",
            "application/json",
            key="json",
            on_click="ignore",
            help="Queries, hits with their contributions, calls, times and costs.",
        )


def _config(ready: Ready, asked: Asked) -> dict[str, Any]:
    """All that reproduces the run, under the names that ``query-prism compare --json`` gives it."""
    made = ready.manifest
    return {
        "corpus": ready.corpus,
        "strategy": dict(made.strategy),
        "embedder": made.embedder,
        "reranker": None,
        "index": made.fingerprint,
        "tokeniser": made.tokeniser,
        "k1": made.k1,
        "b": made.b,
        "idf": made.idf,
        **asdict(asked.settings),
        "transforms": [{"name": name, "settings": dict(settings)} for name, settings in asked.choices],
        "writer": asked.writer.name,
        **_wording(asked.writer.wording),
        "history": [dict(turn) for turn in asked.history],
    }


def _wording(used: Wording) -> dict[str, Any]:
    """What was changed of it: an export says how to ask the same again."""
    texts = {p.id: {"system": p.system, "user": p.user, "temperature": p.temperature} for p in used.edited}
    changed = {"prompts": texts, "query_language": used.query_language, "passage_language": used.passage_language}
    return {name: value for name, value in changed.items() if value}
