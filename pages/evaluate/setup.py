"""What is measured: corpus, queries, modes, the list's length and the one measure that counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ir_core.config import MAX_K
from ir_core.evaluation import SPLITS, in_split, judged_queries
from ir_core.evaluation.meanings import MEANINGS
from ir_core.evaluation.measures import FAMILIES
from ir_core.evaluation.oddities import EMPTY, oddities, why_none
from ir_core.library import JudgedQuery
from ir_core.retrieval import Engine, default_mode
from ir_core.schema import MODE_LEGS
from pages._ui import chosen, numbers, resources, safe
from pages.evaluate import query_sets

DEFAULT_K = 10
STARTS = {"ev_split": "all", "ev_k": DEFAULT_K, "ev_primary": "ndcg"}


@dataclass(frozen=True)
class Ready:
    """A corpus with an index and judged queries, and how it is to be measured."""

    corpus: str
    title: str
    engine: Engine
    queries: list[JudgedQuery]
    query_set: str | None
    split: str
    modes: tuple[Any, ...]
    measures: tuple[str, ...]

    @property
    def qrels(self) -> Mapping[str, Mapping[str, int]]:
        found: Mapping[str, Mapping[str, int]] = resources.judgements(self.corpus, self.query_set)
        return found


def choose() -> Ready | None:
    """Draw the rows; None when nothing can be measured, with the reason on the screen."""
    corpora = {info.name: info for info in resources.corpora()}
    if not corpora:
        safe.notice("info", "There is no corpus yet. Open the Corpus page and choose a sample with judged queries.")
        return None
    for key, value in STARTS.items():
        st.session_state.setdefault(key, value)
    with st.container(horizontal=True, vertical_alignment="bottom", key="ev_setup"):
        name = chosen.choose(corpora, "ev_corpus", _forget)
        engine, damage = chosen.opened(name)
        if name and engine is not None:
            ready = _rest(name, str(corpora[name].title), engine)
    if not name:
        chosen.say_gone()
        return None
    if engine is None:
        chosen.say_closed(corpora[name].title, damage)
        return None
    return _checked(ready)


def _forget() -> None:
    st.session_state["ev_modes"] = None


def _rest(name: str, title: str, engine: Engine) -> Ready:
    state = st.session_state
    named = query_sets.choose(name)
    query_sets.manage(name, named)
    queries = list(resources.queries(name, named))
    split = st.selectbox(
        "Queries",
        SPLITS,
        key="ev_split",
        format_func=lambda one: "all" if one == "all" else f"{one} half",
        help="Settings are chosen on the tune half and reported on the test half: which one a query is in follows "
        "from its id.",
        width=170,
        persist_state="session",
    )
    if state.get("ev_modes") is None:
        state["ev_modes"] = [default_mode(engine.index.manifest, engine.embedder)[0]]
    modes = st.pills(
        "Retrieval",
        list(MODE_LEGS),
        selection_mode="multi",
        key="ev_modes",
        help="Each is measured apart; a text is written once for all of them.",
        persist_state="session",
    )
    k = st.number_input(
        "k", step=1, key="ev_k", width=110, persist_state="session",
        help=f"The places of a list that are measured, from 1 to {MAX_K}, the same for every transform.",
    )  # fmt: skip
    primary = st.selectbox(
        "Primary measure",
        list(FAMILIES),
        key="ev_primary",
        format_func=lambda one: FAMILIES[one],  # nothing that changes: a new label would be a new choice
        help=safe.label("Named before the run, so that nobody picks the kindest afterwards. "
                        + MEANINGS[state["ev_primary"]], 400),
        width=170,
        persist_state="session",
    )  # fmt: skip
    families = dict.fromkeys([primary, *FAMILIES])
    return Ready(
        name, title, engine, queries, named, str(split), tuple(modes or ()),
        tuple(f"{one}@{int(k)}" for one in families),
    )  # fmt: skip


def _checked(ready: Ready) -> Ready | None:
    """Says what would be measured, or why nothing can be."""
    k = int(ready.measures[0].partition("@")[2])
    some = in_split(ready.queries, ready.split)
    judged, _ = judged_queries(some, ready.qrels)
    if not ready.queries:
        said = f"{EMPTY} {ready.title} comes with no queries: import some, let a writer ask, or mark hits on Compare."
        safe.notice("info", said)
    elif not judged:
        safe.notice("info", why_none(some, ready.qrels))
    elif not ready.modes:
        safe.notice("warning", "Choose a retrieval mode at least.")
    elif not 1 <= k <= MAX_K:
        safe.notice("error", f"k = {k}, but a list has 1 to {MAX_K} places. Choose a k in that range.")
    else:
        told = f"<b>{numbers.count(len(judged), 'query is', 'queries are')} measured</b>"
        held = set(ready.engine.index.artifact_ids)
        for said in oddities(some, ready.qrels, held, whole=ready.queries):
            told += f" · {safe.text(said.rstrip('.'))}"
        safe.draw(f'<p class="qp-facts">{told} · embedder {safe.text(ready.engine.index.manifest.embedder)}</p>')
        return ready
    return None
