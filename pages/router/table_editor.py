"""The routing table as rows of widgets: for each label the transform and its settings."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ir_core.params import params_of
from ir_core.router import LABELS, NO_SEARCH, TITLES, RouteTable
from ir_core.transforms import TRANSFORMS
from pages._ui import forms, safe
from pages.router import routing_table, table_saving

LEFT_OUT = frozenset({"you"})
"""What a person types for one query."""


def show() -> None:
    """Folded away at first; what is in it counts either way."""
    base = routing_table.filled()
    with st.expander("The table: which transform each label calls for", key="rt_table_box", on_change="rerun") as box:
        if not box.open:
            return
        if base.note:
            safe.draw(f'<p class="qp-facts">{safe.text(base.note)}</p>')
        st.toggle(
            "Condense first, whatever the label, where something was said before; then route the result",
            key="rt_condense_first",
            persist_state="session",
        )
        for label in LABELS:
            _row(label, base)
        table_saving.show()


def _row(label: str, base: RouteTable) -> None:
    """Settings are drawn for the chosen transform; nothing follows anything but condense."""
    key = f"rt.r.{label}.t"
    names = [*(name for name in TRANSFORMS.names() if name not in LEFT_OUT), NO_SEARCH]
    with st.container(horizontal=True, vertical_alignment="center", key=f"rt_row-{label}", gap="small"):
        title, what = safe.text(TITLES[label].capitalize()), safe.text(LABELS[label])
        with st.container(width=320):
            safe.draw(f'<p class="qp-route-label"><b>{title}</b><span class="qp-route-what">{what}</span></p>')
        name = st.selectbox(
            f"Route of {TITLES[label]}", names, key=key, format_func=title_of, label_visibility="collapsed",
            width=230, persist_state="session",
        )  # fmt: skip
        member: Any = None if name == NO_SEARCH else TRANSFORMS.get(name)
        if member is not None and params_of(member):
            with st.popover("Settings", key=f"rt_settings-{label}"):
                safe.draw(f'<p class="qp-facts">{safe.text(member.summary)}</p>')
                forms.settings_form(member, f"rt.r.{label}.{name}")
        if name == routing_table.CONDENSE:
            st.checkbox("then route the result", key=f"rt.r.{label}.again", persist_state="session")
        route = base.route(label)
        if route.note and route.transform == name:
            safe.draw(f'<p class="qp-facts">{safe.text(route.note)}</p>', width="content")


def title_of(name: str) -> str:
    """Of a route's transform, in words."""
    if name == NO_SEARCH:
        return "No search"
    return "Original" if name == "identity" else safe.sound(TRANSFORMS.get(name).label)
