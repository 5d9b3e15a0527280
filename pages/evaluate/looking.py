"""Below the leaderboards: one of the ways to look further, of one retrieval mode; only the open one is drawn."""

from __future__ import annotations

import streamlit as st

from ir_core.evaluation import Plan
from ir_core.jobs import Job
from pages._ui import resources, safe
from pages.evaluate import by_query, pictures, side_by_side

VIEWS = {
    "Quality and cost": pictures.quality,
    "By category": pictures.categories,
    "Query by query": by_query.show,
    "Beside another run": side_by_side.show,
}


def show(job: Job, plan: Plan, part: int = 0) -> None:
    """:param plan: of the part of that number."""
    safe.heading("Look further", 3)
    with st.container(horizontal=True, vertical_alignment="bottom", key="ev_look"):
        view = st.segmented_control(
            "View", list(VIEWS), default=next(iter(VIEWS)), key=f"ev.view.{job.id}", label_visibility="collapsed",
            required=True, wrap=True,
        )  # fmt: skip
        mode = plan.modes[0]
        if len(plan.modes) > 1:
            mode = st.selectbox("Retrieval", plan.modes, key=f"ev.look.mode.{job.id}", width=170)
    found, sums, _ = resources.measured(job, mode, part)
    if found.n:
        VIEWS[view or next(iter(VIEWS))](job, plan, mode, found, sums)
