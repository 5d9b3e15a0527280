"""Which indexes a run measures: the one in use, others that are kept, and one that is built for it now."""

from __future__ import annotations

import streamlit as st

from ir_core.analysis.two_strategies import kept_builds, open_build
from ir_core.errors import IndexProblem
from ir_core.index import Manifest
from ir_core.retrieval import Engine
from pages._ui import naming, progress, resources, safe
from pages.corpus import two_strategies_build as beside
from pages.evaluate.setup import Ready

MOST = 3
"""As many builds of one corpus are kept."""
LOOK_S = 0.5
Named = tuple[Engine, str]
"""An engine, and what its index is called."""


def choose(ready: Ready) -> list[Named]:
    """Draw the box; the chosen indexes, the one in use first where it is among them."""
    state, key = st.session_state, f"ev_indexes.{ready.corpus}"
    now = ready.engine.index.manifest
    _follow(ready.corpus, key)
    kept = {made.fingerprint: made for made in [now, *kept_builds(ready.corpus)]}
    names = _names(list(kept.values()))
    state[key] = [one for one in state.get(key, ()) if one in kept] or [now.fingerprint]
    picked = state[key]
    label = f"Strategy: {names[picked[0]]}" if len(picked) == 1 else f"Strategies: {len(picked)}"
    with st.popover(safe.label(label, 44), key="ev_indexes_box"):
        st.multiselect(
            "Measured with", list(kept), key=key, max_selections=MOST, persist_state="session",
            format_func=lambda one: safe.sound(names[one] + (" (in use)" if one == now.fingerprint else "")),
            help="Each index is a part of the run, measured apart and against its own original.",
        )  # fmt: skip
        if st.toggle("Index it another way, for this run", key="ev_build_toggle"):
            info = next(one for one in resources.corpora() if one.name == ready.corpus)
            beside.form(info, ready.engine.index)
    found: list[Named] = []
    for one in [name for name in kept if name in picked]:
        engine = ready.engine if one == now.fingerprint else _opened(ready.corpus, one)
        if engine is not None:
            found.append((engine, names[one]))
    return found


def _opened(corpus: str, fingerprint: str) -> Engine | None:
    try:
        index = open_build(corpus, fingerprint)
        return resources.engine_of(index) if index else None
    except IndexProblem as error:
        safe.notice("warning", error)
        return None


def _names(kept: list[Manifest]) -> dict[str, str]:
    """The strategy; where two would be called the same, also the embedder, and at last a mark of its own."""
    names = {made.fingerprint: naming.strategy(made.strategy) for made in kept}
    for more in ("embedder", "fingerprint"):
        called = list(names.values())
        for made in kept:
            if called.count(names[made.fingerprint]) > 1:
                names[made.fingerprint] += f", {str(getattr(made, more))[: 40 if more == 'embedder' else 8]}"
    return names


def _follow(corpus: str, key: str) -> None:
    """What is being built beside the index in use; once it is there it is chosen."""
    job = resources.builds().get(st.session_state.get(beside.JOB))
    if job is None or job.asked.corpus != corpus:
        return
    if not job.is_over:
        _progress(job.id)
        return
    if job.result and not job.error:
        kept = [one for one in st.session_state.get(key, ()) if one != job.result]
        st.session_state[key] = [*kept[: MOST - 1], job.result]
        st.session_state["ev_build_toggle"] = False
    beside.outcome()


@st.fragment(run_every=LOOK_S)
def _progress(job_id: str) -> None:
    job = resources.builds().get(job_id)
    if job is None or job.is_over:
        st.rerun()
    last = job.events[-1] if job.events else None
    share = min(1.0, last.done / max(1, last.total)) if last else 0.0
    st.progress(share, text=progress.words(last) if last else "Starting")
