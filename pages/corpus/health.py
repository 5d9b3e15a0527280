"""Looking into the index that is in use: its health, its surfaces one by one, and another strategy beside it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages._ui import resources, safe
from pages.corpus import browse, health_report, two_strategies

HEALTH, BROWSE, BESIDE = "Health", "Browse", "Two strategies"
VIEWS = {HEALTH: health_report.show, BROWSE: browse.show, BESIDE: two_strategies.show}


def panel(info: Any) -> None:
    """Nothing before the first build."""
    index = resources.readable_index(info.name)
    if index is None:
        return
    safe.heading("Look into the index", 2)
    view = st.segmented_control(
        "View", list(VIEWS), default=HEALTH, key=f"look.{info.name}", label_visibility="collapsed", required=True
    )
    with st.container(key="look"):
        safe.guarded(lambda: VIEWS[view or HEALTH](info, index))
