"""Every surface of the index, page by page: searched, and filtered by kind, document, field and finding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from ir_core.analysis.browse import Rows, select
from ir_core.analysis.health import Finding
from ir_core.index import Index
from pages._ui import filters, numbers, resources, safe
from pages.corpus import browse_state, browse_surface, health_run

PER_PAGE = 10


def show(info: Any, index: Index) -> None:
    found = _selected(index, *_conditions(info, index))
    pages = max(1, -(-len(found) // PER_PAGE))
    page = min(st.session_state.get(browse_state.key(info.name, "page"), 0), pages - 1)
    _count(info, index, len(found), page)
    if not len(found):
        safe.notice("info", "No surface meets all of these conditions. Clear them to see every surface again.")
        return
    rows = [int(row) for row in found[page * PER_PAGE : (page + 1) * PER_PAGE]]
    with st.container(key="surfaces", gap="xsmall"):
        for row in rows:
            browse_surface.show(index, row)
    _turn(info, page, pages)


def _conditions(info: Any, index: Index) -> tuple[Finding | None, dict[str, Any]]:
    """Draw the controls; the finding chosen, and what else they say, as ``select`` takes it."""
    name, manifest = info.name, index.manifest
    changed: dict[str, Any] = {"on_change": browse_state.first_page, "args": (name,)}
    key = lambda part: browse_state.key(name, part)  # noqa: E731
    health = health_run.known(info, index)
    with st.container(horizontal=True, vertical_alignment="bottom", key="browse_row"):
        text = st.text_input("Text", key=key("text"), max_chars=200, placeholder="stands in the surface", **changed)
        document = st.text_input("Document", key=key("document"), max_chars=200, placeholder="id or title", **changed)
        kind = None
        if len(manifest.kinds) > 1:
            kind = st.selectbox(
                "Kind", list(manifest.kinds), index=None, key=key("kind"), placeholder="any",
                format_func=safe.sound, width=160, **changed,
            )  # fmt: skip
        finding = None
        listed = {one.name: one for one in health.of("found") if one.rows} if health else {}
        if listed:
            finding = st.selectbox(
                "Finding", list(listed), index=None, key=key("finding"), placeholder="any",
                format_func=lambda one: listed[one].label if one in listed else one, width=230, **changed,
            )  # fmt: skip
        found = _filter(name, index, changed) if manifest.fields else None
    chosen = {"text": text, "document": document, "kinds": (kind,) if kind else (), "filter": found}
    return listed.get(finding or ""), chosen


def _filter(name: str, index: Index, changed: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """One row of field, comparison and value."""
    fields = index.manifest.fields
    held = [st.session_state.get(browse_state.key(name, part)) for part in ("field", "operator", "value")]
    found = filters.to_filter(
        [filters.Row(held[0] or "", held[1] or "$eq", held[2] or "")], {one: fields[one].type for one in fields}
    )
    label = f"Field: {safe.label(filters.words(found), 30)}" if found else "Field: any"
    with st.popover(label, key="browse_filter"):
        field = st.selectbox(
            "Field", list(fields), index=None, key=browse_state.key(name, "field"), placeholder="any",
            format_func=safe.sound, persist_state="session", **changed,
        )  # fmt: skip
        st.selectbox(
            "Comparison", list(filters.OPERATORS), format_func=filters.OPERATORS.__getitem__,
            key=browse_state.key(name, "operator"), persist_state="session", **changed,
        )  # fmt: skip
        values = fields[field].values[:4] if field in fields else ()
        st.text_input(
            "Value", key=browse_state.key(name, "value"), max_chars=300, persist_state="session",
            placeholder=safe.sound(", ".join(map(str, values)))[:60] or None, **changed,
        )  # fmt: skip
    return found


def _selected(index: Index, finding: Finding | None, conditions: Mapping[str, Any]) -> Rows:
    """:raises BadFilter: for a value that the field cannot be compared with."""
    rows = finding.rows if finding else None
    key = f"browse {index.manifest.fingerprint} {conditions!r} {hash(rows)}"
    found: Rows = resources.computed(key, lambda: select(index, rows=rows, **conditions))
    return found


def _count(info: Any, index: Index, found: int, page: int) -> None:
    first = page * PER_PAGE + 1
    shown = f"{first:,} to {min(found, first + PER_PAGE - 1):,} of " if found > PER_PAGE else ""
    said = f"{shown}{numbers.count(found, 'surface')}"
    with st.container(horizontal=True, vertical_alignment="center", key="browse_count"):
        if found < index.n:
            said += f"; the index has {index.n:,}"
        safe.draw(safe.block(said, "qp-facts", "p"), width="content")
        if found < index.n:
            st.button("Clear", key="browse_clear", type="tertiary", on_click=browse_state.clear, args=(info.name,))


def _turn(info: Any, page: int, pages: int) -> None:
    if pages == 1:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="browse_turn"):
        for label, to, off in (
            ("First", 0, page == 0), ("Previous", page - 1, page == 0),
            ("Next", page + 1, page == pages - 1), ("Last", pages - 1, page == pages - 1),
        ):  # fmt: skip
            st.button(label, key=f"turn.{label}", disabled=off, on_click=browse_state.turn, args=(info.name, to))
        safe.draw(safe.block(f"Page {page + 1:,} of {pages:,}", "qp-facts", "p"), width="content")
