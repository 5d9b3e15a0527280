"""What a build would make, before it is made: the first surfaces, how long they are, how much is to embed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st

from ir_core import build
from ir_core.errors import IndexProblem, QueryPrismError
from ir_core.index import reuse
from ir_core.schema import Surface
from pages._ui import building, numbers, resources, safe, visit
from pages._ui.building import Order
from pages.corpus import adding, text_column

DOCUMENTS = 3
SURFACES = 6


def show(info: Any, loaded: Any, order: Order) -> None:
    building.failures(loaded.problems)
    text_column.ask(info, loaded.problems)
    plan = resources.plan(info.name, order.strategy, order.embedder, order.settings, loaded)
    safe.heading("What would be built", 2)
    if not plan.n_surfaces:
        safe.notice(
            "warning",
            "These settings make no surface at all: no document has text for this strategy. Choose another one.",
        )
        return
    _numbers(plan, order)
    _state(info, plan, order)
    shown = min(DOCUMENTS, plan.n_artifacts)
    safe.heading(f"The first {shown} documents as surfaces" if shown > 1 else "The first document as surfaces", 2)
    _surfaces(plan, {artifact.id: artifact.title for artifact in loaded.artifacts})


def _numbers(plan: build.Plan, order: Order) -> None:
    kinds = Counter(surface.kind for surface in plan.surfaces)
    lengths = np.array([len(surface.text) for surface in plan.surfaces])
    low, middle, high = (int(x) for x in (lengths.min(), np.median(lengths), lengths.max()))
    stats = [
        ("documents", f"{plan.n_artifacts:,}"),
        ("surfaces", f"{plan.n_surfaces:,}"),
        ("characters, shortest", f"{low:,}"),
        ("characters, median", f"{middle:,}"),
        ("characters, longest", f"{high:,}"),
        ("kinds", ", ".join(f"{kind} {number:,}" for kind, number in kinds.items())),
    ]
    cells = "".join(f"<div><dt>{safe.text(name)}</dt><dd>{safe.text(value)}</dd></div>" for name, value in stats)
    safe.draw(f'<dl class="qp-stats">{cells}</dl>')
    if plan.over_limit:
        limit = resources.embedder(order.embedder).max_tokens
        safe.notice(
            "warning",
            f"{numbers.count(plan.over_limit, 'surface is', 'surfaces are')} longer than the {limit} tokens that the "
            "embedder reads; the rest of each counts for words only. Chunks of at most 250 tokens avoid that.",
        )
    for note in plan.notes:
        safe.notice("info", note)


def _state(info: Any, plan: build.Plan, order: Order) -> None:
    current = resources.readable_index(info.name)
    with st.container(horizontal=True, vertical_alignment="center", key="build_row"):
        if plan.is_current:
            label, said = (
                "Build again",
                "The index is up to date: it was built with exactly these documents and settings.",
            )
        elif damage := _damage(info.name):
            label, said = "Build the index again", damage
        elif current is None:
            label, said = (
                "Build the index",
                f"Not built yet: {plan.n_to_embed:,} of {plan.n_surfaces:,} surfaces to embed.",
            )
        else:
            label, said = (
                "Build the index",
                f"Stale: {plan.n_to_embed:,} of {plan.n_surfaces:,} surfaces to embed.",
            )
        kind: Any = "secondary" if plan.is_current else "primary"
        fixed = current is not None and not visit.may_change(info.name)
        st.button(label, type=kind, key="build_it", on_click=_build, args=(order,), disabled=fixed)
        if fixed:
            said = visit.READ_ONLY
        safe.draw(safe.block(said, "qp-facts", "p"), width="content")


def _damage(corpus: str) -> str:
    """What is wrong with the corpus' index, for a person; empty where it can be read, and before the first build."""
    try:
        index = build.current(corpus)
    except IndexProblem as error:
        return str(error)
    return reuse.damage(index.folder) if index else ""


def _build(order: Order) -> None:
    adding.forget()
    try:
        building.start(order)
    except QueryPrismError as error:
        adding.problem(error)


def _surfaces(plan: build.Plan, titles: Mapping[str, str]) -> None:
    first = list(dict.fromkeys(surface.artifact_id for surface in plan.surfaces[:2_000]))[:DOCUMENTS]
    for number, name in enumerate(first):
        own = [surface for surface in plan.surfaces[:5_000] if surface.artifact_id == name]
        with st.expander(
            f"Document {number + 1}: {safe.label(titles.get(name, name))} ({numbers.count(len(own), 'surface')})",
            expanded=number == 0,
            key=f"preview-{number}",
        ):
            safe.draw("".join(_surface(surface) for surface in own[:SURFACES]))
            if len(own) > SURFACES:
                safe.draw(safe.block(f"and {len(own) - SURFACES} more", "qp-facts", "p"))


def _surface(surface: Surface) -> str:
    said = f"{surface.kind} · {len(surface.text):,} characters"
    start, end = surface.metadata.get("start"), surface.metadata.get("end")
    if start is not None and end is not None:
        said += f" · {start:,} to {end:,} of the text"
    return f'<div class="qp-surface">{safe.block(said, "qp-facts", "p")}{_text(surface)}</div>'


def _text(surface: Surface) -> str:
    """A long one scrolls in its place, by keyboard too."""
    return f'<p class="qp-text" dir="auto" tabindex="0">{safe.text(surface.text)}</p>'
