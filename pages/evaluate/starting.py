"""Which transforms, by whom, what it will take, and Start."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ir_core.config import MAX_TRANSFORMS
from ir_core.errors import QueryPrismError
from ir_core.params import params_of
from ir_core.transforms import TRANSFORMS
from pages._ui import evaluations, forms, safe
from pages.evaluate import asking, budget, judge_box
from pages.evaluate.asking import Asked
from pages.evaluate.family import RUNS
from pages.evaluate.setup import Ready

FORM = "ev.t"
CONTROLS_HELP = (
    "The original with its dense list counted twice, and with its lexical one: what only shifts the balance of the "
    "legs looks like them. In hybrid retrieval; they count among the comparisons that are corrected for."
)
LEFT_OUT = frozenset({"identity", "you"})
"""The baseline, which is always there, and what a person types for one query."""


def choose(ready: Ready) -> None:
    state = st.session_state
    state.setdefault("ev_transforms", [name for name in state["transforms"] if name not in LEFT_OUT])
    with st.container(horizontal=True, vertical_alignment="center", key="ev_transform_row", gap="small"):
        safe.draw('<span class="qp-chip" title="Always the first row">Original</span>', width="content")
        names = [name for name in TRANSFORMS.names() if name not in LEFT_OUT]
        st.pills(
            "Transforms",
            names,
            selection_mode="multi",
            format_func=lambda name: safe.label(TRANSFORMS.get(name).label),
            key="ev_transforms",
            label_visibility="collapsed",
            persist_state="session",
            wrap=True,
        )
    asked = asking.choose(ready)
    with st.container(horizontal=True, vertical_alignment="center", key="ev_start_row", gap="small"):
        blocked = _blocked(asked)
        st.button(
            "Start the run", type="primary", key="ev_start", disabled=bool(blocked), on_click=_start, args=(asked,)
        )
        _settings()
        if "hybrid" in ready.modes:
            st.checkbox("Add two controls", key="ev_controls", persist_state="session", help=CONTROLS_HELP)
        judge_box.show(ready)
        if blocked:
            safe.draw(f'<p class="qp-facts">{safe.text(blocked)}</p>', width="content")
        else:
            _budget(asked)
    if problem := state.pop("ev_problem", None):
        safe.notice("error", problem)


def _choices() -> list[tuple[str, dict[str, Any]]]:
    state = st.session_state
    found = []
    for name in TRANSFORMS.names():
        if name in state["ev_transforms"]:
            own = {one.name: state.get(f"{FORM}.{name}.{one.name}", one.default) for one in _params(name)}
            found.append((name, {key: value for key, value in own.items() if value is not None}))
    return found


def _params(name: str) -> Any:
    return params_of(TRANSFORMS.get(name))


def _settings() -> None:
    """Begin where Compare's settings are; from then on they are this page's own."""
    chosen = [name for name in st.session_state["ev_transforms"] if _params(name)]
    with st.popover("Settings", key="ev_settings_box", disabled=not chosen):
        for name in chosen:
            member: Any = TRANSFORMS.get(name)
            safe.heading(member.label, 3)
            safe.draw(f'<p class="qp-facts">{safe.text(member.summary)}<br>{safe.text(member.reference)}</p>')
            there = {one.name: st.session_state.get(f"t.{name}.{one.name}", one.default) for one in _params(name)}
            forms.settings_form(member, f"{FORM}.{name}", initial=there)


def _budget(asked: Asked) -> None:
    try:
        plan = asked.plan(_choices())
    except QueryPrismError as error:
        safe.draw(f'<p class="qp-facts">{safe.text(error)}</p>', width="content")
        return
    budget.show(asked, plan)


def _blocked(asked: Asked) -> str:
    names = st.session_state["ev_transforms"]
    if not names:
        return "Choose a transform at least, to be measured against the original."
    if len(names) + 1 > MAX_TRANSFORMS:
        return f"At most {MAX_TRANSFORMS} rows, the original among them; take some transforms out."
    return asked.problem or judge_box.blocked()


def _start(asked: Asked) -> None:
    state = st.session_state
    try:
        plan, engines = asked.plan(_choices()), [engine for engine, _ in asked.indexes]
        RUNS.open_run(evaluations.begin(plan, asked.ready.title, *engines).id)
    except QueryPrismError as error:
        state["ev_problem"] = str(error)
