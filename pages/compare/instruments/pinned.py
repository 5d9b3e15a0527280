"""A pinned comparison beside a later one: change strategy, mode, writer or prompt, and see what it moves."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ir_core.schema import SearchResult
from pages._ui import naming, resources, safe
from pages._ui.pins import Pin
from pages.compare import since, wanted
from pages.compare.instruments._flow import flow
from pages.compare.instruments._naming import short
from pages.compare.running import Asked, order_of
from pages.compare.setup import Ready

LABEL = "Pinned"
ORDER = 70
PINNED = "pinned"
"""Key of the pin's id in the session."""


def show(ready: Ready, asked: Asked, results: Sequence[SearchResult]) -> None:
    pin = resources.pins().get(st.session_state.get(PINNED))
    with st.container(horizontal=True, key="pin_row"):
        label = "Pin this result" if pin is None else "Pin this one in its place"
        st.button(label, key="pin", on_click=_pin, args=(ready, asked, tuple(results)))
        if pin is not None:
            st.button("Unpin", key="unpin", on_click=_unpin, type="tertiary")
    if pin is None:
        said = (
            "Nothing is pinned. Pin this result, change the strategy, the mode, the writer or a prompt, and Compare."
        )
        gone = "The result that was pinned is not kept any more. " if st.session_state.get(PINNED) else ""
        safe.notice("info", gone + said, detail="This tab then shows what the change moved, transform by transform.")
        return
    changed = _changes(ready, asked, pin)
    safe.draw(safe.block(f"Pinned: {pin.order.asked.query.strip()}", "qp-lead", "p"))
    if pin.order.corpus != ready.corpus:
        safe.notice("warning", "The pinned result is of another corpus, so the lists have no documents in common.")
    elif not changed:
        same = _fingerprints(pin.results) == _fingerprints(results)
        told = "This is the pinned result: nothing was changed since." if same else "The same was asked again."
        safe.notice("info", told)
    else:
        safe.notice("info", f"Changed since it was pinned: {'; '.join(changed)}.")
    _flow(ready, asked, results, pin)


def _flow(ready: Ready, asked: Asked, results: Sequence[SearchResult], pin: Pin) -> None:
    now = {result.formulation.transform: result for result in results}
    then = {result.formulation.transform: result for result in pin.results}
    both = [name for name in now if name in then]
    if not both:
        safe.notice("info", "The two have no transform in common that finished, so nothing can be put side by side.")
        return
    name = st.selectbox(
        "Transform", both, format_func=lambda one: safe.sound(short(now[one])), key="pinned_of", width=340
    )
    name = name if name in both else both[0]
    was, is_now = then[name], now[name]
    relevant = wanted.judged(ready, asked.query)
    k = max(asked.k, pin.order.asked.k)
    expected = st.session_state["expected"]
    flow([was, is_now], ["Pinned", "Now"], k, key="chart_pinned", expected=expected, relevant=relevant)


def _changes(ready: Ready, asked: Asked, pin: Pin) -> list[str]:
    """In words, with what it was; a changed index says what it is made of."""
    found = since.changes(pin.order, order_of(ready, asked))
    strategy, embedder = _made_of(ready)
    if pin.made_of[0] != strategy:
        found.append(f"the strategy (was {pin.made_of[0]}, is {strategy})")
    if pin.made_of[1] != embedder:
        found.append(f"the embedder (was {pin.made_of[1]})")
    return found


def _made_of(ready: Ready) -> tuple[str, str]:
    return naming.strategy(ready.manifest.strategy), ready.manifest.embedder


def _fingerprints(results: Sequence[SearchResult]) -> list[str]:
    return [result.fingerprint for result in results]


def _pin(ready: Ready, asked: Asked, results: tuple[SearchResult, ...]) -> None:
    _unpin()
    st.session_state[PINNED] = resources.pins().keep(order_of(ready, asked), _made_of(ready), results)


def _unpin() -> None:
    resources.pins().drop(st.session_state.pop(PINNED, None))
