"""Queries on their way: what is asked, and a thread that routes them one after the other."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from ir_core import session
from ir_core.budget import capped
from ir_core.compare import formulate
from ir_core.library import JudgedQuery
from ir_core.protocols import Writer
from ir_core.retrieval import Engine, SearchSettings, search
from ir_core.router import DECIDERS, Decider, Override, Routed, RouteTable, route
from ir_core.schema import Call, SearchResult
from ir_core.transforms import TRANSFORMS
from ir_core.writers import with_authored
from pages._ui import numbers, resources, spending, spent, writer_recording, writers
from pages._ui.jobs import NEWER, Emit, Job
from pages.router.choosing import Chosen
from pages.router.setup import Ready

PATIENCE_S = 30.0
"""Of a page that was closed; no further calls are made after that."""


@dataclass(frozen=True)
class Asked:
    """Everything a routing depends on, besides the index. ``queries`` are one, or many; ``label`` a person chose."""

    queries: tuple[JudgedQuery, ...]
    decider: Chosen
    table: RouteTable
    writer: writers.Choice
    settings: SearchSettings
    label: str | None = None


@dataclass(frozen=True)
class Order:
    """``asked`` of one index; kept with the job, so that it can be drawn again."""

    corpus: str
    index: str
    asked: Asked


@dataclass(frozen=True)
class Found:
    """One query, routed; ``original`` is its plain search, where it was wanted. ``calls`` has the deciders' own."""

    query: JudgedQuery
    routed: Routed
    original: SearchResult | None = None

    @property
    def calls(self) -> tuple[Call, ...]:
        made, then = self.routed, self.routed.then
        decided = [made.decision, *([then] if then is not None and then is not made.decision else [])]
        return (*(call for one in decided for call in one.calls), *made.result.formulation.calls)

    @property
    def cost_usd(self) -> float | None:
        return spent.now(self.calls).cost_usd


def order_of(ready: Ready, asked: Asked) -> Order:
    """The store is everybody's; the key is not."""
    kept = replace(asked, writer=replace(asked.writer, api_key=None))
    return Order(ready.corpus, ready.engine.index.manifest.fingerprint, kept)


def job_of(ready: Ready, slot: str) -> Job | None:
    """This visit's last one of this corpus. ``slot`` is the key in the visit: ``rt_job`` or ``rt_many``."""
    job: Job | None = resources.routings().get(st.session_state[slot])
    return job if job and job.asked.corpus == ready.corpus else None


def start(ready: Ready, asked: Asked, slot: str, *, with_original: bool) -> Job:
    """Begin, and stop whatever this visit still had routed there. The job emits a ``Found`` for each query."""
    before = resources.routings().get(st.session_state[slot])
    if before:
        before.stop(NEWER)
    engine, examples, authored = ready.engine, ready.examples(), resources.authored(ready.corpus)
    purses, visit_file = spending.purses(), writer_recording.path()

    def work(emit: Emit, cancel: threading.Event) -> None:
        opened = capped(writers.open_chosen(asked.writer, engine.index), *purses)
        session.warm_up(engine, opened, away=asked.settings.mode == "lexical")
        for query in asked.queries:
            if cancel.is_set():
                return
            writer: Any = with_authored(opened, authored, query.text, query.history) if with_original else opened
            writer = writer_recording.recording(writer, visit_file)
            routed = route(
                engine, query.text, decider=_decider(asked, query), table=asked.table, writer=writer,
                settings=asked.settings, history=query.history, examples=examples, cancel=cancel,
            )  # fmt: skip
            emit(Found(query, routed, _original(engine, query, routed, writer, asked) if with_original else None))

    job: Job = resources.routings().start(order_of(ready, asked), work, patience=PATIENCE_S)
    st.session_state[slot] = job.id
    return job


def _decider(asked: Asked, query: JudgedQuery) -> Decider:
    made = DECIDERS.make(*asked.decider)
    return Override(query.text, asked.label, made) if asked.label else made


def _original(engine: Engine, query: JudgedQuery, found: Routed, writer: Writer, asked: Asked) -> SearchResult:
    """What the plain query finds: the route's own result or the decider's search where it was made already."""
    if found.transform == "identity":
        return found.result
    if found.decision.original is not None:
        return found.decision.original
    made = formulate(
        engine, TRANSFORMS.make("identity"), query.text, query.history, writer, asked.settings,
        cancel=threading.Event(), use_cache=True,
    )  # fmt: skip
    return search(engine, made, asked.settings)


def one(text: str, history: Sequence[Mapping[str, str]]) -> JudgedQuery:
    """A typed query, as one of a list."""
    turns: Any = tuple(dict(turn) for turn in history)
    return JudgedQuery("typed", text.strip(), history=turns)


def took(found: Sequence[Found]) -> dict[str, str]:
    """Calls, searches, seconds and dollars of all of them, in words."""
    return {
        "calls": numbers.count(sum(item.routed.n_calls for item in found)),
        "searches": numbers.count(sum(item.routed.n_searches for item in found)),
        "time": numbers.seconds(sum(item.routed.seconds for item in found)),
        "cost": numbers.dollars(numbers.total(item.cost_usd for item in found)),
    }
