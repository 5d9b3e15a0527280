"""Who decides, with what settings."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ir_core.params import params_of
from ir_core.router import DECIDERS
from pages._ui import forms, safe, writers
from pages.router.setup import Ready

THRESHOLD = "rt.d.signal.threshold"
Chosen = tuple[str, dict[str, Any]]


def choose(ready: Ready) -> Chosen:
    """Draw the row; the decider's name and settings."""
    with st.container(key="rt_decider_row"):
        name = st.segmented_control(
            "Who decides", DECIDERS.names(), format_func=lambda one: safe.label(DECIDERS.get(one).label),
            key="rt_decider", required=True, persist_state="session",
        )  # fmt: skip
        decider: Any = DECIDERS.get(str(name))
        safe.draw(f'<p class="qp-facts">{safe.text(decider.summary)}</p>')
        values = _settings(decider)
        if why := _lacks(decider, ready):
            safe.notice("info", why)
    return decider.name, values


def current() -> Chosen:
    """The same without drawing."""
    name = st.session_state["rt_decider"]
    own = {
        one.name: st.session_state.get(f"rt.d.{name}.{one.name}", one.default)
        for one in params_of(DECIDERS.get(name))
    }
    return name, {key: value for key, value in own.items() if value is not None}


def _settings(decider: Any) -> dict[str, Any]:
    if decider.name != "signal":
        with st.container(width=220):
            return forms.settings_form(decider, f"rt.d.{decider.name}")
    (setting,) = params_of(decider)
    st.session_state.setdefault(THRESHOLD, setting.default)
    value = st.slider(
        safe.label(setting.label), setting.low, setting.high, step=setting.step, key=THRESHOLD, width=420,
        help=safe.label(setting.help, 400), persist_state="session",
    )  # fmt: skip
    return {setting.name: float(value)}


def _lacks(decider: Any, ready: Ready) -> str:
    """Why rules would decide in its place, known before anything is asked."""
    choice = writers.current()
    if decider.needs_writer and not choice.is_llm:
        return f"“{choice.label}” gives no labels, so rules decide. Choose a model under Writer to have it decide."
    if decider.needs_examples and not ready.examples():
        return (
            "This corpus has no labelled queries, so rules decide. Correct labels under Many queries: each is an "
            "example."
        )
    return ""
