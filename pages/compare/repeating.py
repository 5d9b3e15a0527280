"""One transform of a comparison, asked several times in a job of its own."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ir_core import session
from ir_core.analysis.stability import repeat
from ir_core.budget import capped
from ir_core.transforms import TRANSFORMS
from ir_core.writers import with_authored
from pages._ui import resources, spending, writer_recording, writers
from pages._ui.jobs import NEWER, Emit, Job
from pages.compare.running import PATIENCE_S, Asked, Order, order_of
from pages.compare.setup import Ready

JOB = "repeats"
"""Key of the job's id in the session."""


@dataclass(frozen=True)
class Again:
    order: Order
    transform: str
    times: int


def start(ready: Ready, asked: Asked, name: str, settings: Mapping[str, Any], times: int) -> Job:
    """Begin, and stop what this visit was still repeating. To be called by the script: caps are read here."""
    before = resources.repeats().get(st.session_state.get(JOB))
    if before:
        before.stop(NEWER)
    engine, purses, visit_file = ready.engine, spending.purses(), writer_recording.path()
    examples = resources.authored(ready.corpus)
    transform = TRANSFORMS.make(name, settings)

    def work(emit: Emit, cancel: threading.Event) -> None:
        writer = writers.open_chosen(asked.writer, engine.index)
        writer = capped(with_authored(writer, examples, asked.query, asked.history), *purses)
        writer = writer_recording.recording(writer, visit_file)
        session.warm_up(engine, writer, away=asked.settings.mode == "lexical")
        for result in repeat(engine, transform, asked.query, asked.history, writer, asked.settings, times, cancel):
            emit(result)

    job = resources.repeats().start(Again(order_of(ready, asked), name, times), work, patience=PATIENCE_S)
    st.session_state[JOB] = job.id
    return job


def current(ready: Ready, asked: Asked) -> Job | None:
    """This visit's last one, if it is of the comparison that is shown."""
    job = resources.repeats().get(st.session_state.get(JOB))
    return job if job and job.asked.order == order_of(ready, asked) else None
