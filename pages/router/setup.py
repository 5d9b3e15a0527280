"""What is searched: corpus, retrieval mode and the list's length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ir_core.config import MAX_K
from ir_core.library import JudgedQuery
from ir_core.retrieval import Engine, SearchSettings, default_mode
from ir_core.router import Labelled, labelled, own_labels
from ir_core.schema import MODE_LEGS
from pages._ui import chosen, naming, numbers, resources, safe


@dataclass(frozen=True)
class Ready:
    """A corpus with an index, and how it is searched."""

    corpus: str
    title: str
    engine: Engine
    mode: Any
    k: int

    @property
    def settings(self) -> SearchSettings:
        return SearchSettings(mode=self.mode, k=self.k)

    @property
    def queries(self) -> Sequence[JudgedQuery]:
        found: Sequence[JudgedQuery] = resources.queries(self.corpus)
        return found

    def examples(self) -> tuple[Labelled, ...]:
        """Labelled queries a decider may learn from: the tune half's, then those that people labelled."""
        return (*labelled(self.queries), *own_labels(self.corpus))


def choose() -> Ready | None:
    """Draw the row; None when nothing can be searched, with the reason on the screen."""
    corpora = {info.name: info for info in resources.corpora()}
    if not corpora:
        safe.notice(
            "info",
            "There is no corpus yet. Open the Corpus page and choose a sample, or bring documents of your own.",
        )
        return None
    with st.container(horizontal=True, vertical_alignment="bottom", key="rt_setup"):
        name = chosen.choose(corpora, "rt_corpus", _forget)
        engine, damage = chosen.opened(name)
        ready = _rest(name, str(corpora[name].title), engine) if name and engine is not None else None
    if not name:
        chosen.say_gone()
    elif engine is None:
        chosen.say_closed(corpora[name].title, damage)
    elif ready is not None:
        made = ready.engine.index.manifest
        safe.draw(
            f'<p class="qp-facts"><b>{safe.text(naming.strategy(made.strategy))}</b> · '
            f"{numbers.count(made.n_artifacts, 'document')} · {safe.text(made.embedder)}</p>"
        )
    return ready


def _forget() -> None:
    state = st.session_state
    state["rt_mode"], state["rt_job"], state["rt_many"], state["rt_override"] = None, None, None, None


def _rest(name: str, title: str, engine: Engine) -> Ready | None:
    if st.session_state["rt_mode"] not in MODE_LEGS:
        st.session_state["rt_mode"] = default_mode(engine.index.manifest, engine.embedder)[0]
    mode = st.segmented_control("Retrieval", list(MODE_LEGS), key="rt_mode", required=True, persist_state="session")
    typed = st.number_input(
        "k", step=1, key="rt_k", width=110, persist_state="session",
        help=f"How many documents a list shows, from 1 to {MAX_K}.",
    )  # fmt: skip
    k = int(typed)
    if not 1 <= k <= MAX_K:
        safe.notice("error", f"k = {k}, but a list has 1 to {MAX_K} places. Choose a k in that range.")
        return None
    return Ready(name, title, engine, mode, k)
