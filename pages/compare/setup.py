"""What is searched: corpus, strategy, retrieval mode, k, filter and kinds of surface."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from ir_core.config import DEFAULT_K, MAX_K
from ir_core.errors import BadSetting, UnknownName
from ir_core.index import Manifest
from ir_core.retrieval import Engine, SearchSettings, default_mode
from ir_core.schema import MODE_LEGS
from pages._ui import building, chosen, naming, numbers, resources, safe
from pages._ui.building import Order
from pages._ui.links import GONE, Link
from pages._ui.state import remember_link
from pages.compare import narrowing


@dataclass
class Ready:
    """A corpus with an index, and how it is to be searched. ``blocked`` says why it cannot be searched like this:
    what is wrong, by what is to be mended."""

    corpus: str
    info: Any
    engine: Engine
    mode: str = "hybrid"
    k: int = DEFAULT_K
    filter: Mapping[str, Any] | None = None
    kinds: tuple[str, ...] | None = None
    problems: list[str] = field(default_factory=list)
    blocked: dict[str, str] = field(default_factory=dict)

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
    chosen.corpus(corpora)
    with st.container(horizontal=True, vertical_alignment="bottom", key="setup"):
        name = st.selectbox(
            "Corpus",
            list(corpora),
            index=0 if st.session_state["corpus"] else None,
            placeholder="choose one",
            format_func=lambda one: safe.sound(corpora[one].title),
            key="corpus",
            on_change=_forget_choices,
            width=280,
            persist_state="session",
        )
        engine, damage = chosen.opened(name)
        if name and engine is not None:
            ready = Ready(name, corpora[name], engine)
            _mode_and_k(ready)
    if not name:
        chosen.say_gone()
        return None
    if engine is None:
        _not_built(name, corpora[name], damage)
        return None
    _facts(ready)
    with st.container(key="notices"):
        for problem in ready.problems:
            safe.notice("warning", problem)
        for what, problem in ready.blocked.items():
            safe.notice("error", problem, detail=f"Nothing is searched until {what} is mended.")
    return ready


def _forget_choices() -> None:
    """Another corpus has other fields, kinds, documents and languages."""
    state = st.session_state
    state["mode_by_hand"] = False
    state["mode"], state["kinds"], state["filter_json"], state["expected"] = None, [], "", None
    state["run"], state["problems"], state["made_with"] = None, [], None
    for key in [key for key in state if str(key).startswith("filter.")]:
        del state[key]
    if st.query_params:  # what it says was asked of the corpus before
        remember_link(Link(corpus=state["corpus"]))


def _not_built(name: str, info: Any, damage: str | None) -> None:
    with st.container(key="building"):
        progress = st.container()
        rest: Any = st.empty() if building.is_under_way(name) else st
        with progress:
            building.show(name)
        with rest.container(key="to_build"):
            _offer_build(name, info, damage)


def _offer_build(name: str, info: Any, damage: str | None) -> None:
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
    _k(ready)
    ready.filter, problem = narrowing.choose(ready.engine.index)
    if problem:
        ready.blocked["the filter"] = problem
    _kinds(ready)


def _k(ready: Ready) -> None:
    """Without bounds in the browser, which would refuse a number in words of its own and go on with the last one."""
    k = st.number_input(
        "k",
        step=1,
        key="k",
        width=110,
        persist_state="session",
        help=f"How many documents each transform may show, from 1 to {MAX_K}.",
    )
    ready.k = int(k)
    try:
        SearchSettings(k=ready.k)
    except BadSetting as error:
        ready.blocked["k"] = str(error)


def _kinds(ready: Ready) -> None:
    """What a link or the last build named and this index does not have is left out, and said."""
    state, kinds = st.session_state, list(ready.manifest.kinds)
    gone = [kind for kind in state["kinds"] if kind not in kinds]
    if gone:
        state["problems"] = [
            *state["problems"],
            *(f"{GONE} {UnknownName('kind of surface', kind, kinds)} All kinds are searched." for kind in gone),
        ]
        state["kinds"] = [kind for kind in state["kinds"] if kind in kinds]
        state["ask"] = False
    if len(kinds) > 1:
        picked = st.multiselect(
            "Kinds of surface", kinds, key="kinds", placeholder="all", width=240, persist_state="session"
        )
        ready.kinds = tuple(picked) or None


def _by_hand() -> None:
    st.session_state["mode_by_hand"] = True


def _facts(ready: Ready) -> None:
    made = ready.manifest
    strategy = naming.strategy(made.strategy)
    said = (
        f"<b>{safe.text(strategy)}</b> · {numbers.count(made.n_surfaces, 'surface')} of "
        f"{numbers.count(made.n_artifacts, 'document')} · {safe.text(made.embedder)}"
    )
    if made.over_limit:
        said += f" · {numbers.count(made.over_limit, 'surface')} longer than the {made.max_tokens} tokens it reads"
    safe.draw(f'<p class="qp-facts">{said}</p>')
    expected = st.session_state["expected"]
    if expected and expected not in ready.engine.index.artifact_ids:
        ready.problems.append(
            f"{GONE} the expected document {expected[:80]!r}. “Find a document”, below the cards, says what is known "
            "of it; choose another there."
        )
    link = st.session_state["made_with"]
    if link and link["index"] != made.fingerprint:
        other = f" ({naming.strategy_in_link(link['strategy'])})" if link["strategy"] else ""
        ready.problems.append(
            f"This link was made with another build of this corpus{other}; "
            "the ranking here may differ from the one that was shared."
        )
