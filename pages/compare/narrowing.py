"""The filter: rows from the fields that the manifest names, or JSON, which wins when there is some."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from ir_core.errors import BadFilter
from ir_core.index import Index
from pages._ui import filters, safe

MOST_ROWS = 8


def choose(index: Index, prefix: str = "") -> tuple[Mapping[str, Any] | None, str | None]:
    """Draw the control; the filter, and what is wrong with it, if anything.

    :param prefix: begins the keys of another page's own filter; Compare's have none.
    """
    state = st.session_state
    state.setdefault(f"{prefix}filter_rows", 1)
    state.setdefault(f"{prefix}filter_json", "")
    fields = index.manifest.fields
    types = {name: about.type for name, about in fields.items()}
    problem, found = None, None
    try:
        rows = [_kept(i, prefix) for i in range(state[f"{prefix}filter_rows"])]
        found = filters.from_json(state[f"{prefix}filter_json"]) or filters.to_filter(rows, types)
        index.allowed(found, None)
    except BadFilter as error:
        problem = str(error)
    label = "Filter: none" if not found else f"Filter: {safe.label(filters.words(found), 36)}"
    with st.popover(label, key=f"{prefix}filter_box"):
        safe.draw(
            '<p class="qp-facts">Rows are joined by <b>and</b>; the values of “is one of” stand between commas.</p>'
        )
        for i in range(state[f"{prefix}filter_rows"]):
            _draw(i, index, prefix)
        st.button("Another row", key=f"{prefix}filter_more", on_click=_one_more, args=(prefix,))
        st.text_area(
            "As JSON (used in place of the rows)",
            key=f"{prefix}filter_json",
            height=90,
            max_chars=4_000,
            placeholder=filters.EXAMPLE,
            persist_state="session",
        )
    return found, problem


def _kept(i: int, prefix: str) -> filters.Row:
    parts = ("field", "operator", "value")
    field, operator, value = (st.session_state.get(f"{prefix}filter.{i}.{part}") for part in parts)
    return filters.Row(field or "", operator or "$eq", value or "")


def _one_more(prefix: str) -> None:
    key = f"{prefix}filter_rows"
    st.session_state[key] = min(MOST_ROWS, st.session_state[key] + 1)


def _draw(i: int, index: Index, prefix: str) -> None:
    fields = index.manifest.fields
    left, middle, right = st.columns([3, 3, 4], vertical_alignment="bottom")
    name = left.selectbox(
        "Field",
        list(fields),
        index=None,
        key=f"{prefix}filter.{i}.field",
        placeholder="any",
        format_func=safe.sound,
        persist_state="session",
    )
    middle.selectbox(
        "Comparison",
        list(filters.OPERATORS),
        format_func=filters.OPERATORS.__getitem__,
        key=f"{prefix}filter.{i}.operator",
        persist_state="session",
    )
    examples = fields[name].values[:4] if name in fields else ()
    right.text_input(
        "Value",
        key=f"{prefix}filter.{i}.value",
        max_chars=300,
        persist_state="session",
        placeholder=safe.sound(", ".join(str(value) for value in examples))[:60] or None,
    )
