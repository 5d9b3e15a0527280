"""Which transforms, by whom, what it will take, and Start."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ir_core.budget import Estimate
from ir_core.config import MAX_TRANSFORMS
from ir_core.errors import QueryPrismError
from ir_core.evaluation import Plan, estimate_run, in_split, judged_queries
from ir_core.evaluation.controls import CONTROLS
from ir_core.evaluation.sampling import SAMPLES
from ir_core.params import params_of
from ir_core.transforms import TRANSFORMS
from pages._ui import evaluations, forms, numbers, safe, spending, writers
from pages.evaluate import judge_box
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
    with st.container(horizontal=True, vertical_alignment="center", key="ev_start_row", gap="small"):
        blocked = _blocked()
        st.button(
            "Start the run", type="primary", key="ev_start", disabled=bool(blocked), on_click=_start, args=(ready,)
        )
        _settings()
        if "hybrid" in ready.modes:
            st.checkbox("Add two controls", key="ev_controls", persist_state="session", help=CONTROLS_HELP)
        judge_box.show(ready)
        if blocked:
            safe.draw(f'<p class="qp-facts">{safe.text(blocked)}</p>', width="content")
        else:
            _budget(ready)
            judge_box.budget(ready, 1 + len(state["ev_transforms"]) + len(CONTROLS) * bool(state.get("ev_controls")))
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


def _blocked() -> str:
    names = st.session_state["ev_transforms"]
    if not names:
        return "Choose a transform at least, to be measured against the original."
    if len(names) + 1 > MAX_TRANSFORMS:
        return f"At most {MAX_TRANSFORMS} rows, the original among them; take some transforms out."
    return writers.current().missing or judge_box.blocked()


def _budget(ready: Ready) -> None:
    try:
        writer = writers.open_chosen(writers.current(), ready.engine.index)
        queries, _ = judged_queries(in_split(ready.queries, ready.split), ready.qrels)
        found = estimate_run(
            _choices(), writer, queries, corpus_language=ready.engine.index.manifest.language,
            spent=spending.visit().spent(writer.name), samples=SAMPLES,
        )  # fmt: skip
    except QueryPrismError as error:
        safe.draw(f'<p class="qp-facts">{safe.text(error)}</p>', width="content")
        return
    safe.draw(f'<p class="qp-facts">{safe.text(_line(found, writer.is_llm))}</p>', width="content")
    if not writer.is_llm and not judge_box.is_on():
        return
    with st.popover("Budget", key="ev_budget_box"):
        with st.container(horizontal=True, gap="small"):
            for label, key, step in (("Calls at most", "ev_calls", 1), ("Dollars at most", "ev_usd", 0.01)):
                st.number_input(
                    label, key=key, value=None, min_value=type(step)(0), step=step, placeholder="no cap",
                    format=None if isinstance(step, int) else "%g", persist_state="session",
                )  # fmt: skip
        told = "At the cap the run pauses; what is done is kept, and a higher cap lets it go on."
        safe.draw(f'<p class="qp-facts">{told}<br>{safe.text(" ".join(found.leaves) if writer.is_llm else "")}</p>')


def _line(found: Estimate, is_llm: bool) -> str:
    if not is_llm:
        return f"≈ {numbers.count(found.calls, 'text')} to write, $0, nothing leaves this machine"
    parts = [
        f"≈ {numbers.count(found.calls, 'call')}",
        "time unknown" if found.seconds is None else f"~{numbers.seconds(found.seconds)}",
        "cost unknown" if found.cost_usd is None else f"~{numbers.dollars(found.cost_usd)}",
        f"the queries go to {found.sends_to}" if found.sends_to else "nothing leaves this machine",
    ]
    return " · ".join(parts)


def _start(ready: Ready) -> None:
    state = st.session_state
    try:
        plan = Plan(
            corpus=ready.corpus,
            index=ready.engine.index.manifest.fingerprint,
            transforms=tuple(_choices()),
            modes=ready.modes,
            measures=judge_box.measures(ready.measures),
            judge=judge_box.plan(),
            split=ready.split,
            query_set=ready.query_set,
            writer=evaluations.writer_plan(writers.current()),
            max_calls=state.get("ev_calls"),
            max_usd=state.get("ev_usd"),
            controls=tuple(CONTROLS) if state.get("ev_controls") and "hybrid" in ready.modes else (),
        )
        RUNS.open_run(evaluations.begin(plan, ready.title, ready.engine).id)
    except QueryPrismError as error:
        state["ev_problem"] = str(error)
