"""A job followed to its end with a bar, the time left, and a way to stop."""

from __future__ import annotations

import streamlit as st

from ir_core.protocols import Progress
from pages._ui import numbers, safe
from pages._ui.jobs import BY_HAND, Job, follow


def followed(job: Job, *, stop: str | None, key: str) -> None:
    """:param stop: what the button says that ends it; None for a job that another visit began."""
    bar = st.progress(0.0, text="Starting")
    if stop:
        st.button(stop, on_click=job.stop, args=(BY_HAND,), key=key)

    def draw(events: list[Progress]) -> None:
        if events:
            last = events[-1]
            bar.progress(min(1.0, last.done / max(1, last.total)), text=words(last))

    follow(job, draw)


def words(progress: Progress) -> str:
    stage = safe.label(progress.stage)
    return f"{stage}: {progress.done:,} of {progress.total:,}, {numbers.left(progress.seconds_left)}"
