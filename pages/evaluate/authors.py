"""Who writes the texts of a run: up to three writers, each a part of it; and how many texts a model draws."""

from __future__ import annotations

import streamlit as st

from ir_core.evaluation.sampling import SAMPLES
from ir_core.writers import FREE_WRITER, LOCAL
from pages._ui import safe, writer_recorded, writers

CURRENT = "current"
MOST = 3
MOST_SAMPLES = 5


def choose() -> list[writers.Choice]:
    """Draw the box; the chosen ones, the writer of all pages first where it is among them."""
    state, known = st.session_state, _known()
    state.setdefault("ev_samples", SAMPLES)
    state["ev_writers"] = [one for one in state.get("ev_writers", ()) if one in known] or [CURRENT]
    picked = state["ev_writers"]
    label = f"Writer: {known[picked[0]].label}" if len(picked) == 1 else f"Writers: {len(picked)}"
    with st.popover(safe.label(label, 44), key="ev_writers_box"):
        st.multiselect(
            "Texts written by", list(known), key="ev_writers", max_selections=MOST, persist_state="session",
            format_func=lambda one: safe.sound(known[one].label + (" (chosen above)" if one == CURRENT else "")),
            help="Each writer is a part of the run, measured apart. A model or a recording is chosen in Writer, at "
            "the top of every page.",
        )  # fmt: skip
        st.number_input(
            "Texts of a query above temperature 0", min_value=1, max_value=MOST_SAMPLES, step=1, key="ev_samples",
            persist_state="session", help="One draw says as much about luck as about the transform, so several are "
            "drawn and averaged. At temperature 0, and without a model, one is enough.",
        )  # fmt: skip
    return [known[one] for one in known if one in picked]


def samples() -> int:
    return int(st.session_state.get("ev_samples") or SAMPLES)


def missing(chosen: list[writers.Choice]) -> str:
    """Why one of them cannot write; "" where all can."""
    from ir_core.writers import local

    for one in chosen:
        if one.missing:
            return one.missing
        if one.name == LOCAL and (reason := local.available()):
            return reason
    return ""


def _known() -> dict[str, writers.Choice]:
    """By a name that stays; the current one is told once."""
    now, recording = writers.current(), writer_recorded.chosen()
    others = [writers.Choice(FREE_WRITER), writers.Choice(LOCAL)]
    others += [writers.Choice(writers.RECORDED, recording=recording)] if recording else []
    return {CURRENT: now, **{one.name: one for one in others if one.name != now.name}}
