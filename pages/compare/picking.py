"""Which transforms stand side by side: the usual ones as a row, all others by what they do behind one button."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from ir_core.compare import DEFAULT_TRANSFORMS, JOINED, with_joined_turns
from ir_core.config import MAX_TRANSFORMS
from ir_core.transforms import TRANSFORMS
from pages._ui import numbers, safe, state

USUAL = "usual"
GROUPS: Mapping[str, Sequence[str]] = {
    "Follow-ups and languages": ("condense", "joined_turns", "translate"),
    "More words beside the query": ("query2doc", "keywords", "grounded"),
    "Words of the first hits": ("rm3", "rocchio"),
    "Several hops": ("sequential",),
    "Yours, and several in a row": ("you", "chain"),
}
"""By what they do. One that stands in no group is under "More"."""
REST = "More"


def groups() -> dict[str, list[str]]:
    """Names of the transforms, the usual ones first; each stands in one group."""
    names = [name for name in TRANSFORMS.names() if name != "identity"]
    usual = [name for name in DEFAULT_TRANSFORMS if name in names]
    grouped = {title: [name for name in wanted if name in names] for title, wanted in GROUPS.items()}
    placed = {*usual, *(name for found in grouped.values() for name in found)}
    found = {USUAL: usual, **grouped, REST: [name for name in names if name not in placed]}
    return {title: members for title, members in found.items() if members}


def pills() -> None:
    """Draw them. ``st.session_state["transforms"]`` holds what is chosen, in all groups."""
    usual, *others = groups().items()
    _pills(*usual, label="Transforms")
    also = sum(name in st.session_state["transforms"] for _, names in others for name in names)
    with st.popover(f"More transforms: {also} chosen" if also else "More transforms", key="more_transforms"):
        safe.draw(f'<p class="qp-facts">{safe.text(_room())}</p>')
        for title, names in others:
            safe.heading(title, 3)
            _pills(title, names, label=title)
            safe.draw(_summaries(names))


def _pills(group: str, names: Sequence[str], *, label: str) -> None:
    """Its own widget shows and changes the group's part of what is chosen."""
    key = f"pick.{group}"
    st.session_state[key] = [name for name in names if name in st.session_state["transforms"]]
    st.pills(
        label,
        names,
        selection_mode="multi",
        format_func=lambda name: safe.label(TRANSFORMS.get(name).label),
        key=key,
        label_visibility="collapsed",
        wrap=True,
        on_change=_picked,
        args=(key, tuple(names)),
    )


def _picked(key: str, names: Sequence[str]) -> None:
    others = [name for name in st.session_state["transforms"] if name not in names]
    st.session_state["transforms"] = [*others, *st.session_state[key]]


def _summaries(names: Sequence[str]) -> str:
    members = [TRANSFORMS.get(name) for name in names]
    return "".join(
        f'<p class="qp-facts"><b>{safe.text(one.label)}</b> {safe.text(one.summary)}</p>' for one in members
    )


def _room() -> str:
    names = [name for name, _ in with_joined_turns(state.choices(), state.history())]
    free = MAX_TRANSFORMS - len({"identity", *names})
    if JOINED in names and JOINED not in st.session_state["transforms"] and not free:
        return (
            f"All {MAX_TRANSFORMS} columns are taken. One more takes the place of Joined turns, which stands there "
            "because there is a history."
        )
    if free > 0:
        return f"There is room for {numbers.count(free, 'more column')} beside the original."
    return f"{MAX_TRANSFORMS} columns are the most side by side: take one out before you add another."
