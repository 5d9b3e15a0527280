"""Building an index from a page: in a thread of its own, with progress and time left, and a way to stop."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ir_core import library, session
from ir_core.embedders import DEFAULT_EMBEDDER
from ir_core.errors import Cancelled
from ir_core.index import IndexSettings
from ir_core.loaders import Problem
from pages._ui import numbers, progress, resources, safe, trouble, visit
from pages._ui.jobs import NEWER, Emit


@dataclass(frozen=True, slots=True)
class Order:
    """What to build: the corpus, a strategy as {"name", "params"} (None: the corpus' own), an embedder's name and the
    index settings."""

    corpus: str
    strategy: Mapping[str, Any] | None
    embedder: str
    settings: IndexSettings


def start(order: Order) -> None:
    """Begin, cancelling what this visit was still building. A corpus of everybody gets its first index from whoever
    opens it first, with the settings it comes with.

    :raises BadInput: for a corpus that can only be read here and has an index.
    """
    visit.only_offered(order.strategy, order.embedder)
    if not visit.may_change(order.corpus):
        if resources.readable_index(order.corpus) is not None:
            visit.only_own(order.corpus)
        order = Order(order.corpus, None, DEFAULT_EMBEDDER, IndexSettings())
    running = resources.builds().get(st.session_state.get("build"))
    if running:
        running.stop(NEWER)

    def work(emit: Emit, cancel: threading.Event) -> Any:
        prepared = session.prepare(
            library.corpus(order.corpus, paths=False),
            strategy=order.strategy,
            embedder=order.embedder,
            settings=order.settings,
        )
        prepared.build(emit, cancel)
        return prepared.loaded.problems

    st.session_state["build"] = resources.builds().start(order, work).id


def is_under_way(corpus: str) -> bool:
    """True when :func:`show` has something to follow: what stands below it should then be cleared."""
    job = resources.builds().get(st.session_state.get("build"))
    return job is not None and job.asked.corpus == corpus


def show(corpus: str) -> None:
    """Follow this visit's build of ``corpus`` to its end, then show the page with it."""
    job = resources.builds().get(st.session_state.get("build"))
    if job is None or job.asked.corpus != corpus:
        return
    if not job.is_over:
        progress.followed(job, stop="Stop building", key="stop_build")
    st.session_state["build"] = None
    st.session_state["built"] = job.id
    resources.forget_corpora()
    st.rerun()


def outcome(corpus: str) -> None:
    """What the last build came to: a sentence, and every file that could not be read."""
    job = resources.builds().get(st.session_state.get("built"))
    if job is None or job.asked.corpus != corpus:
        return
    if isinstance(job.error, Cancelled):
        st.session_state["built"] = None  # said once
        safe.notice(
            "info",
            "Building was stopped. The index that was there before is still there; the next build goes on.",
        )
    elif job.error:
        job.error = trouble.told(job.error)
        safe.notice("error", job.error, detail="Nothing was lost: an index that was there before is still there.")
    else:
        st.session_state["built"] = None  # said once
        safe.passing("The index is built.")
        failures(job.result)


def failures(problems: Sequence[Problem]) -> None:
    """Files that were not read, or not wholly, each with its reason, then remarks on those that were."""
    lost = [problem for problem in problems or () if problem.lost]
    remarks = [problem for problem in problems or () if not problem.lost]
    if lost:
        said = numbers.count(len(lost), "file or record was", "files or records were")
        safe.notice("warning", f"{said} not read, or not wholly; the rest is here.")
        rows = [{"name": problem.name, "reason": problem.reason} for problem in lost]
        safe.table(rows, hide_index=True, alt="What was not read, or not wholly")
    if remarks:
        said = numbers.count(len(remarks), "file or record was", "files or records were")
        safe.notice("info", f"{said} read with a remark; nothing was lost.")
        rows = [{"name": problem.name, "remark": problem.reason} for problem in remarks]
        safe.table(rows, hide_index=True, alt="Remarks on what was read")
