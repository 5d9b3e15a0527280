"""Building a second index of a corpus: the one in use stays in use."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import streamlit as st

from ir_core import library, session
from ir_core.errors import Cancelled, QueryPrismError
from ir_core.index import Index, IndexSettings
from ir_core.params import make
from ir_core.strategies import STRATEGIES, strategy_to_spec
from pages._ui import forms, progress, resources, safe, trouble, visit
from pages._ui.building import Order
from pages._ui.jobs import Emit
from pages.corpus.strategy import STARTS

JOB = "beside_job"


def form(info: Any, index: Index) -> None:
    """A strategy and its settings; the embedder is that of the index in use, so that only surfaces differ."""
    if not visit.may_change(info.name):
        safe.notice("info", visit.READ_ONLY)
        return
    made = index.manifest
    names = list(STRATEGIES.names())
    key = f"beside_strategy.{info.name}"
    if key not in st.session_state:
        st.session_state[key] = "Chunked" if made.strategy["name"] != "Chunked" else "WholeText"
    name = st.selectbox(
        "Strategy", names, format_func=lambda one: str(STRATEGIES.get(one).label), key=key,
        persist_state="session", width=460,
    )  # fmt: skip
    member: Any = STRATEGIES.get(name or names[0])
    safe.draw(safe.block(member.summary, "qp-facts", "p"))
    with st.container(key="beside_form", width=460):
        values = forms.settings_form(member, f"{key}.{name}", initial=STARTS.get(str(name), {}))
    try:
        spec = strategy_to_spec(make(member, values))
    except QueryPrismError as error:
        safe.notice("error", error)
        return
    settings = replace(IndexSettings(made.k1, made.b, made.tokeniser, made.idf), filter_fields=made.filter_fields)
    order = Order(info.name, spec, made.embedder, settings)
    st.button("Build beside the one in use", key="beside_build", type="primary", on_click=_begin, args=(order,))


def _begin(order: Order) -> None:
    """:raises BadInput: for a corpus that can only be read here."""
    visit.only_own(order.corpus)

    def work(emit: Emit, cancel: threading.Event) -> str:
        prepared = session.prepare(
            library.corpus(order.corpus, paths=False),
            strategy=order.strategy,
            embedder=order.embedder,
            settings=order.settings,
        )
        return prepared.build(emit, cancel, make_current=False).manifest.fingerprint

    st.session_state[JOB] = resources.builds().start(order, work).id


def under_way(corpus: str) -> bool:
    job = resources.builds().get(st.session_state.get(JOB))
    return job is not None and job.asked.corpus == corpus and not job.is_over


def follow_it() -> None:
    """To its end, then the page is drawn with it."""
    job = resources.builds().get(st.session_state.get(JOB))
    assert job is not None
    progress.followed(job, stop="Stop building", key="beside_stop")
    st.rerun()


def outcome() -> None:
    """Said once; what was built is chosen."""
    job = resources.builds().get(st.session_state.get(JOB))
    if job is None or not job.is_over:
        return
    st.session_state[JOB] = None
    if isinstance(job.error, Cancelled):
        safe.notice("info", "Building was stopped. What was embedded is kept; the index in use is as it was.")
    elif job.error:
        safe.notice("error", trouble.told(job.error), detail="The index in use is as it was.")
    else:
        st.session_state[f"beside.{job.asked.corpus}"] = job.result
        safe.passing("The second index is built; the one in use is as it was.")
