"""A routing table kept under a name, deleted, or taken along as a line."""

from __future__ import annotations

import streamlit as st

from ir_core.errors import BadInput, QueryPrismError
from ir_core.router import delete_table, own_tables, save_table
from ir_core.router.saved_tables import MAX_NAME_CHARS
from pages._ui import safe
from pages.router import routing_table, sharing


def show() -> None:
    name, own = st.session_state["rt_table"], own_tables()
    with st.container(horizontal=True, vertical_alignment="bottom", key="rt_saving"):
        st.text_input(
            "Name", key="rt_save_name", max_chars=MAX_NAME_CHARS, placeholder="Name of your table", width=230
        )
        st.button("Save", key="rt_save", on_click=_save)
        if name in own:
            st.button(safe.label(f"Delete {own[name].title}"), key="rt_delete", on_click=_delete, args=(name,))
        with st.popover("Share by link", key="rt_share_table"):
            _link()
        st.button("Undo changes", key="rt_undo", on_click=routing_table.fill, type="tertiary", disabled=_unchanged())
    if problem := st.session_state.pop("rt_save_problem", None):
        safe.notice("error", problem)


def _link() -> None:
    """The table alone; that of a query stands below its cards."""
    try:
        params = {sharing.TABLE: routing_table.in_link(routing_table.current())}
    except BadInput as error:
        safe.notice("error", error)
        return
    safe.draw('<p class="qp-facts">It opens this page with this table, saved here or not.</p>')
    st.code(sharing.url(params), language=None, wrap_lines=True)


def _unchanged() -> bool:
    try:
        return routing_table.current() is routing_table.filled() or routing_table.same(
            routing_table.current(), routing_table.filled()
        )
    except BadInput:
        return False


def _save() -> None:
    state = st.session_state
    try:
        made = save_table(routing_table.current(), state["rt_save_name"])
        state["rt_table"], state["rt_save_name"] = made.name, ""
        routing_table.fill()
        safe.passing(f"{made.title} is saved.")
    except QueryPrismError as error:
        state["rt_save_problem"] = str(error)


def _delete(name: str) -> None:
    state = st.session_state
    try:
        delete_table(name)
        state["rt_table"] = "ours"
        routing_table.fill()
    except QueryPrismError as error:
        state["rt_save_problem"] = str(error)
