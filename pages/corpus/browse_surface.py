"""One surface in the list, and in full in a drawer."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ir_core.index import Index
from pages._ui import numbers, safe

CUT = 320
"""Characters shown of a surface in the list."""
PART = 20_000
"""Characters shown at once in the drawer: a browser lays out no more without a halt."""


def show(index: Index, row: int) -> None:
    surface = index.surfaces[row]
    title = index.titles[int(index.artifact_of[row])]
    size = len(surface.text)
    facts = [surface.kind, numbers.count(size, "character")]
    start, end = surface.metadata.get("start"), surface.metadata.get("end")
    if isinstance(start, int) and isinstance(end, int) and start > 0:
        facts.append(f"from character {start:,} of the text")
    with st.container(key=f"surface-{row}", gap=None):
        known = f'<bdi class="qp-ids">{safe.text(surface.id)}</bdi> · {safe.prose(" · ".join(facts))}'
        safe.draw(
            f'<div class="qp-surface"><p class="qp-surface-title" dir="auto">{safe.text(title)}</p>'
            f'<p class="qp-facts">{known}</p>{safe.block(_beginning(surface.text), "qp-text", "p")}</div>'
        )
        label = f"Read all {size:,} characters" if size > CUT else "Details"
        if st.button(label, key=f"surface_read.{row}", type="tertiary"):
            _drawer(index, row)


def _beginning(text: str) -> str:
    """Without blank lines, which only take room in a list."""
    lines = [line.rstrip() for line in text[:CUT].splitlines() if line.strip()]
    return "\n".join(lines) + (" …" if len(text) > CUT else "")


def _drawer(index: Index, row: int) -> None:
    surface = index.surfaces[row]
    number = int(index.artifact_of[row])

    def body() -> None:
        safe.heading(index.titles[number], 2)
        parts = -(-len(surface.text) // PART)
        part = 1
        if parts > 1:
            part = int(st.number_input(f"Part, of {parts:,}", 1, parts, 1, key="surface_part"))
        text = surface.text[(part - 1) * PART : part * PART]
        safe.draw(f'<p class="qp-passage" dir="auto" tabindex="0">{safe.text(text)}</p>')
        safe.heading("What is known about it", 3)
        safe.draw(_facts(_about(index, row, number)))

    st.dialog("Surface", width=760, position="right")(body)()


def _about(index: Index, row: int, number: int) -> dict[str, Any]:
    surface = index.surfaces[row]
    siblings = int((index.artifact_of == number).sum())
    return {
        "surface": surface.id,
        "document": f"{index.artifact_ids[number]} ({numbers.count(siblings, 'surface')})",
        "kind": surface.kind,
        "granularity": surface.granularity,
        **index.fields[number],
        **surface.metadata,
    }


def _facts(facts: dict[str, Any]) -> str:
    rows = "".join(
        f"<dt dir='auto'>{safe.text(name)}</dt><dd dir='auto'>{safe.text(value)}</dd>"
        for name, value in facts.items()
    )
    return f'<dl class="qp-facts-list">{rows}</dl>'
