"""The next run as it is set: on which indexes, by which writers, over which part of the documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from ir_core.errors import BadFilter
from ir_core.evaluation import Plan
from ir_core.evaluation.controls import CONTROLS
from pages._ui import evaluations, safe, writers
from pages.compare import narrowing
from pages.evaluate import authors, indexes, judge_box
from pages.evaluate.setup import Ready


@dataclass(frozen=True)
class Asked:
    """``problem`` says why nothing can begin like this; "" where it can."""

    ready: Ready
    indexes: Sequence[indexes.Named]
    writers: Sequence[writers.Choice]
    filter: Mapping[str, Any] | None = None
    kinds: tuple[str, ...] | None = None
    problem: str = ""

    @property
    def n_parts(self) -> int:
        return len(self.indexes) * len(self.writers)

    def plan(self, transforms: Sequence[tuple[str, Mapping[str, Any]]]) -> Plan:
        """:raises QueryPrismError: for what cannot be measured."""
        state, ready = st.session_state, self.ready
        by = [evaluations.writer_plan(one) for one in self.writers]
        judge = judge_box.plan()
        if judge and judge.writer is None and writers.current() not in self.writers:
            judge = replace(judge, writer=evaluations.writer_plan(writers.current()))
        return Plan(
            corpus=ready.corpus,
            index=ready.engine.index.manifest.fingerprint,
            transforms=tuple(transforms),
            modes=ready.modes,
            measures=judge_box.measures(ready.measures),
            judge=judge,
            split=ready.split,
            query_set=ready.query_set,
            max_calls=state.get("ev_calls"),
            max_usd=state.get("ev_usd"),
            controls=tuple(CONTROLS) if state.get("ev_controls") and "hybrid" in ready.modes else (),
            samples=authors.samples(),
            filter=self.filter,
            surfaces=self.kinds,
        ).crossed([(engine.index.manifest.fingerprint, name) for engine, name in self.indexes], by)


def choose(ready: Ready) -> Asked:
    """Draw the row of boxes."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="ev_more_row", gap="small"):
        over, by = indexes.choose(ready), authors.choose()
        found, problem = narrowing.choose(ready.engine.index, f"ev.{ready.corpus}.")
        kinds = _kinds(ready, over)
    try:
        for engine, _ in over:
            engine.index.allowed(found, kinds)
    except BadFilter as error:
        problem = problem or str(error)
    return Asked(ready, over, by, found, kinds, problem or authors.missing(by))


def _kinds(ready: Ready, over: Sequence[indexes.Named]) -> tuple[str, ...] | None:
    """Of surfaces, those that every index has; None is all."""
    state, key = st.session_state, f"ev_kinds.{ready.corpus}"
    first, *others = [list(engine.index.manifest.kinds) for engine, _ in over]
    shared = [kind for kind in first if all(kind in one for one in others)]
    if len(shared) < 2:
        return None
    state[key] = [kind for kind in state.get(key, ()) if kind in shared]
    picked = state[key]
    label = f"Kinds: {', '.join(picked)}" if picked else "Kinds: all"
    with st.popover(safe.label(label, 36), key="ev_kinds_box"):
        st.multiselect("Kinds of surface", shared, key=key, placeholder="all", persist_state="session")
    return tuple(picked) or None
