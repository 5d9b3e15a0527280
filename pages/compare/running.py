"""Starting a comparison, and what it was asked."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from ir_core import session
from ir_core.budget import capped
from ir_core.compare import compare
from ir_core.retrieval import SearchSettings
from ir_core.writers import with_authored
from pages._ui import resources, spending, writer_recording, writers
from pages._ui.jobs import Emit, Job

if TYPE_CHECKING:
    from pages.compare.setup import Ready


PATIENCE_S = 30.0
"""A comparison whose page was closed makes no further calls after that."""


@dataclass(frozen=True)
class Asked:
    """Everything a comparison depends on, besides the index."""

    query: str
    choices: tuple[tuple[str, Mapping[str, Any]], ...]
    history: tuple[Mapping[str, str], ...]
    writer: writers.Choice
    mode: str
    k: int
    filter: Mapping[str, Any] | None
    kinds: tuple[str, ...] | None

    @property
    def columns(self) -> list[str]:
        """The transforms side by side, the original first whether it was named or not."""
        return list(dict.fromkeys(["identity", *(name for name, _ in self.choices)]))

    @property
    def settings(self) -> SearchSettings:
        mode: Any = self.mode
        return SearchSettings(mode=mode, k=self.k, filter=self.filter, surfaces=self.kinds)


@dataclass(frozen=True)
class Order:
    """``asked`` of one index; kept with the job, so that its cards can be drawn again."""

    corpus: str
    index: str
    asked: Asked


def start(ready: Ready, asked: Asked) -> Job:
    """Begin, and stop whatever this visit was still asking."""
    resources.runs().drop(st.session_state["run"])
    engine = ready.engine
    examples = resources.authored(ready.corpus)
    purses = spending.purses()
    visit_file = writer_recording.path()
    anew, st.session_state["anew"] = st.session_state["anew"], False

    def work(emit: Emit, cancel: threading.Event) -> None:
        settings = asked.settings
        writer = writers.open_chosen(asked.writer, engine.index)
        writer = capped(with_authored(writer, examples, asked.query, asked.history), *purses)
        writer = writer_recording.recording(writer, visit_file)
        # before the clock runs: no transform is charged for a cold start
        session.warm_up(engine, writer, away=settings.mode == "lexical")
        for event in compare(
            engine,
            asked.query,
            transforms=asked.choices,
            writer=writer,
            settings=settings,
            history=asked.history,
            cancel=cancel,
            use_cache=not anew,
        ):
            emit(event)

    job = resources.runs().start(order_of(ready, asked), work, patience=PATIENCE_S)
    st.session_state["run"] = job.id
    st.session_state["problems"] = []  # what the link had wrong is no longer what is asked
    return job


def order_of(ready: Ready, asked: Asked) -> Order:
    """The store is everybody's; the key is not."""
    kept = replace(asked, writer=replace(asked.writer, api_key=None))
    return Order(ready.corpus, ready.manifest.fingerprint, kept)


def is_being_asked(ready: Ready, asked: Asked) -> bool:
    """True while exactly this is under way: leaving the query box by a click on Compare asks twice."""
    job = resources.runs().get(st.session_state["run"])
    return job is not None and not job.is_over and job.asked == order_of(ready, asked)


def run_of(ready: Ready) -> Job | None:
    """This visit's last comparison, if it was of this corpus and is still kept."""
    job = resources.runs().get(st.session_state["run"])
    return job if job and job.asked.corpus == ready.corpus else None
