"""Taking a comparison away: a link that asks the same, a table, and everything as JSON."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ir_core.config import MAX_QUERY_CHARS
from ir_core.schema import SearchResult
from ir_core.strategies import STRATEGY_REGISTRY
from pages._ui import links, safe, visit
from pages._ui.prompts_state import UNCHANGED
from pages.compare import frozen, scenes, taking
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
        scene=found.id if (found := scenes.current(ready.corpus, asked)) else None,
    )


def panel(ready: Ready, asked: Asked, results: Sequence[SearchResult]) -> None:
    if asked.history:
        st.checkbox(
            "Put the conversation into links, files and frozen results, too",
            key="share_history",
            persist_state="session",
            help="Whoever has one of them can then read what was said before the query. Without it they say how many "
            "turns there were, and leave out any column that holds a turn word for word.",
        )
    with_history = st.session_state["share_history"]
    link = link_of(ready, asked, with_history=with_history)
    safe.draw(
        '<p class="qp-lead">This link asks the same again. It holds no key. Copy it with the button at its right.</p>'
    )
    st.code(links.url(st.context.url or "", link), language=None, wrap_lines=True)
    if visit.is_by_link(ready.corpus):
        safe.draw(safe.block(visit.THE_KEY, "qp-facts", "p"))
    if asked.writer.may_cost:
        safe.draw(
            '<p class="qp-facts">It opens filled in and waits for Compare, since the writer may cost money.</p>'
        )
    if asked.writer.wording != UNCHANGED:
        said = "Prompts edited here and languages fixed here are not in the link: it asks with the bank's own."
        safe.notice("info", said)
    made = taking.comparison_of(ready, asked, results, with_history=with_history)
    taking.files(made, f"query-prism-{ready.corpus}")
    taking.freeze(made, st.context.url or "")
    frozen.upload()
