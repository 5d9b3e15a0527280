"""The original's card and the routed one's, side by side; one card where the original is the route."""

from __future__ import annotations

import streamlit as st

from ir_core.schema import SearchResult
from pages._ui import cards, moves, safe
from pages._ui.card_badges import badges
from pages._ui.card_details import details
from pages.router.running import Found
from pages.router.setup import Ready


def show(ready: Ready, found: Found) -> None:
    original, routed = found.original, found.routed
    both = [original, routed.result] if original is not None and routed.transform != "identity" else [routed.result]
    safe.heading("Beside the original" if len(both) > 1 else "The original is the route", 2)
    with st.container(key="rt_cards"), st.container(key="cards"):
        for slot, result in enumerate(both):
            with st.container(key=f"card-{slot}"), st.container(key=f"inner-{slot}", gap="xsmall"):
                _card(ready, found, slot, result, both[0])
    if len(both) > 1 and not routed.result.formulation.skip_reason and moves.unchanged(both):
        safe.notice("info", "Nothing moved: the route ranks the same documents in the same order as the original.")


def _card(ready: Ready, found: Found, slot: int, result: SearchResult, original: SearchResult) -> None:
    made = result.formulation
    moved = moves.moves(result, original)
    lost = [] if made.skip_reason else moves.gone(result, original)
    saw = made.saw_history if found.query.history else None
    marks = [("warn", "not searched")] if made.skip_reason else badges(result, saw_history=saw)
    safe.draw(
        cards.head(
            slot, made.title, result=result, badges=marks,
            moved=moves.summary(moved, len(lost)),
        )
        + cards.body(result, ready.engine.index.title_of)
    )  # fmt: skip
    with st.container(key=f"hits-{slot}", gap=None):
        if not result.fused.hits and not made.skip_reason:
            safe.draw(cards.empty_hits(filtered=False, mode=ready.mode))
        for hit in result.fused.hits:
            safe.draw(cards.hit_row(hit, moved.get(hit.artifact_id), None))
        if lost:
            safe.draw(cards.gone_row(lost))
        safe.draw(details(result))
