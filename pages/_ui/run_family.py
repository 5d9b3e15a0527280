"""A family of runs that a page lists, and which of them is open: in the visit and in the address, so that a link or a
reload opens it cold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from ir_core.jobs import Job

PARAM = "job"
"""Not "run": that is a frozen result of Compare, and a browser's Back may bring one page the other's address."""


@dataclass(frozen=True)
class Family:
    """``key`` begins the keys of its widgets, ``kind`` is that of its jobs, ``nothing`` the sentence where there are
    none; ``about`` says what a run measures.

    :raises BadInput: ``about``, for a run of a release that knew other transforms.
    """

    key: str
    kind: str
    title: str
    nothing: str
    about: Callable[[Job], str]

    @property
    def open_key(self) -> str:
        return f"{self.key}_run"

    def open_run(self, run_id: str | None) -> None:
        """From a callback, or before anything of the run is drawn."""
        st.session_state[self.open_key] = run_id
        if run_id is None:
            st.query_params.pop(PARAM, None)

    def opened(self) -> str | None:
        """What the address names when it is opened cold, else what this visit has open; the address follows."""
        state, seen = st.session_state, f"{self.key}_named"
        named, known = st.query_params.get(PARAM), state.get(self.open_key)
        if known is None and self.open_key not in state:
            known = state[self.open_key] = named
        elif named != state.get(seen) and named:
            known = state[self.open_key] = named  # another link in the same visit
        if known and named != known:
            st.query_params[PARAM] = known
        state[seen] = known
        return known
