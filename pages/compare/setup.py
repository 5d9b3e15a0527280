"""What is searched: corpus, strategy, retrieval mode, k, filter and kinds of surface."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from ir_core.config import MAX_K
from ir_core.errors import IndexProblem
from ir_core.index import Manifest
from ir_core.retrieval import Engine, default_mode
from ir_core.schema import MODE_LEGS
from ir_core.strategies import STRATEGY_REGISTRY
from pages._ui import building, links, numbers, resources, safe
from pages._ui.building import Order
from pages.compare import narrowing


@dataclass
class Ready:
    """A corpus with an index, and how it is to be searched. ``blocked`` says why it cannot be searched like this."""

    corpus: str
    info: Any
    engine: Engine
    mode: str = "hybrid"
    k: int = 5
    filter: Mapping[str, Any] | None = None
    kinds: tuple[str, ...] | None = None
    problems: list[str] = field(default_factory=list)
    blocked: str | None = None

    @property
    def manifest(self) -> Manifest:
        return self.engine.index.manifest


def choose() -> Ready | None:
    """Draw the row; None when there is nothing to search, with the reason on the screen."""
    corpora = {info.name: info for info in resources.corpora()}
    if not corpora:
        safe.notice(
            "info",
            "There is no corpus yet. Open the Corpus page and choose a sample, or bring documents of your own.",
        )
        return None
    if st.session_state["corpus"] not in corpora:
        st.session_state["corpus"] = next(iter(corpora))
    with st.container(horizontal=True, vertical_alignment="bottom", key="setup"):
        name = st.selectbox(
            "Corpus",
            list(corpora),
            format_func=lambda one: safe.sound(corpora[one].title),
            key="corpus",
            on_change=_forget_choices,
            width=280,
            persist_state="session",
        )
        engine, damage = _open(name)
        if engine is not None:
            ready = Ready(name, corpora[name], engine)
            _mode_and_k(ready)
    if engine is None:
        _not_built(name, corpora[name], damage)
        return None
    _facts(ready)
    with st.container(key="notices"):
        for problem in ready.problems:
            safe.notice("warning", problem)
        if ready.blocked:
            safe.notice("error", ready.blocked, detail="Nothing is searched until the filter is mended.")
    return ready


def _forget_choices() -> None:
    """Another corpus has other fields, kinds, documents and languages."""
    state = st.session_state
    state["mode_by_hand"] = False
    state["mode"], state["kinds"], state["filter_json"], state["expected"] = None, [], "", None
    state["run"], state["problems"], state["made_with"] = None, [], None
    for key in [key for key in state if str(key).startswith("filter.")]:
        del state[key]


def _open(name: str) -> tuple[Engine | None, str | None]:
    """The engine, or why an index that is there cannot be used."""
    try:
        return resources.engine(name), None
    except IndexProblem as error:
        return None, str(error)


def _not_built(name: str, info: Any, damage: str | None) -> None:
    building.show(name)
    building.outcome(name)
    if damage:
        safe.notice("error", damage)
    else:
        holds = (
            f"It holds {numbers.count(info.n_documents, 'document')}; building" if info.n_documents else "Building"
        )
        safe.notice(
            "info",
            f"{info.title} has no index yet. {holds} reads them once and needs no network.",
            detail="To choose another strategy first, open the Corpus page.",
        )
    st.button("Build the index", type="primary", key="build_now", on_click=_build, args=(name, info))


def _build(name: str, info: Any) -> None:
    from ir_core.embedders import DEFAULT_EMBEDDER
    from ir_core.index import IndexSettings

    building.start(Order(name, None, DEFAULT_EMBEDDER, IndexSettings()))


def _mode_and_k(ready: Ready) -> None:
    state = st.session_state
    preferred, why = default_mode(ready.manifest, ready.engine.embedder, state["query"])
    if state["mode"] is None or not state["mode_by_hand"]:
        state["mode"] = preferred
    if why and state["mode"] == preferred:
        ready.problems.append(why)
    elif why:
        ready.problems.append(
            why.replace("Searched by words only", f"Searched in {state['mode']} mode, as chosen", 1)
        )
    ready.mode = (
        st.segmented_control(
            "Retrieval",
            list(MODE_LEGS),
            key="mode",
            required=True,
            persist_state="session",
            on_change=_by_hand,
            help="Dense compares meanings by vectors, lexical compares words by BM25, hybrid fuses both lists.",
        )
        or preferred
    )
    ready.k = int(
        st.number_input(
            "k",
            min_value=1,
            max_value=MAX_K,
            step=1,
            key="k",
            width=110,
            persist_state="session",
            help="How many documents each transform may show.",
        )
        or 5
    )
    ready.filter, ready.blocked = narrowing.choose(ready.engine.index)
    kinds = list(ready.manifest.kinds)
    if len(kinds) > 1:
        state["kinds"] = [kind for kind in state["kinds"] if kind in kinds]
        chosen = st.multiselect(
            "Kinds of surface", kinds, key="kinds", placeholder="all", width=240, persist_state="session"
        )
        ready.kinds = tuple(chosen) or None


def _by_hand() -> None:
    st.session_state["mode_by_hand"] = True


def _facts(ready: Ready) -> None:
    made = ready.manifest
    strategy = strategy_words(made.strategy)
    said = (
        f"<b>{safe.text(strategy)}</b> · {numbers.count(made.n_surfaces, 'surface')} of "
        f"{numbers.count(made.n_artifacts, 'document')} · {safe.text(made.embedder)}"
    )
    if made.over_limit:
        said += f" · {numbers.count(made.over_limit, 'surface')} longer than the {made.max_tokens} tokens it reads"
    safe.draw(f'<p class="qp-facts">{said}</p>')
    link = st.session_state["made_with"]
    if link and link["index"] != made.fingerprint:
        other = f" ({link['strategy']})" if link["strategy"] else ""
        ready.problems.append(
            f"This link was made with another build of this corpus{other}; "
            "the ranking here may differ from the one that was shared."
        )


def strategy_words(spec: Mapping[str, Any]) -> str:
    """A strategy's name, and those of its settings that are not the default."""
    return links.named(spec["name"], STRATEGY_REGISTRY.get(spec["name"]), spec.get("params") or {})
