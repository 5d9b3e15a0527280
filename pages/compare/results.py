"""The cards, drawn as their results come in, and what stands below them once all are there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from ir_core.compare import Event
from ir_core.schema import Hit, SearchResult
from ir_core.transforms import TRANSFORMS
from pages._ui import cards, moves, numbers, safe, spending, trouble
from pages._ui.card_badges import badges
from pages._ui.card_details import details
from pages._ui.jobs import BY_HAND, LEFT, Job, follow
from pages.compare import drawer, marking_box, predicting, reading, scenes, since, wanted
from pages.compare.running import PATIENCE_S, Asked, order_of
from pages.compare.setup import Ready
from pages.compare.status import status_of, waits


@dataclass
class Board:
    """What is known so far, by slot, and where each slot is drawn. ``opened`` is the hit that was clicked;
    ``hidden`` that the rankings wait for a guess."""

    ready: Ready
    job: Job
    places: list[Any] = field(default_factory=list)
    results: dict[int, SearchResult] = field(default_factory=dict)
    failures: dict[int, str] = field(default_factory=dict)
    drawn: set[int] = field(default_factory=set)
    opened: tuple[SearchResult, Hit] | None = None
    marks: dict[str, str] = field(default_factory=dict)
    hidden: bool = False

    @property
    def names(self) -> list[str]:
        return self.job.asked.asked.columns

    def ordered(self) -> list[SearchResult]:
        return [self.results[slot] for slot in sorted(self.results)]


def show(ready: Ready, job: Job, now: Asked, *, pressed: bool) -> None:
    """Draw the comparison, following it to its end while it runs. ``now`` is what is in the form."""
    board = Board(ready, job, marks=wanted.marks(ready, job.asked.asked.query), hidden=predicting.waits(job))
    with st.container(key="other"):
        if not job.is_over:
            st.empty()  # what the last run said here goes at once
        since.note(job.asked, order_of(ready, now), pressed=pressed, blocked=bool(ready.blocked))
    lead = st.container(key="lead")
    scene = scenes.current(ready.corpus, job.asked.asked)
    with lead:
        below_scene = scenes.band(scene, hidden=board.hidden) if scene else None
    with st.container(horizontal=True, vertical_alignment="center", key="status_row"):
        status, cancel, judged = st.empty(), st.empty(), st.empty()
        if not job.is_over:
            cancel.button("Cancel", key="cancel", on_click=job.stop, args=(BY_HAND,))
    with st.container(key="cards"):
        for slot, name in enumerate(board.names):
            with st.container(key=f"card-{slot}"):
                place = st.empty()
                with place:
                    safe.draw(cards.waiting(slot, TRANSFORMS.get(name).label, "waiting for its text"))
                board.places.append(place)

    # What the last run drew below goes at once: it belongs to another answer.
    rest: Any = st if job.is_over else st.empty()

    def draw(events: list[Event]) -> None:
        for event in events:
            _take(board, event)
        if events or not board.drawn or waits(job.asked.asked.writer.name):
            with status:
                safe.draw(status_of(board), width="content")

    follow(job, draw)
    if not board.opened and spending.is_news(job):  # a rerun would close the passage that was asked for
        st.rerun()
    with status:
        safe.draw(status_of(board), width="content")
    cancel.empty()
    if job.is_over and not board.hidden:
        with judged:
            marking_box.show(ready, job.asked.asked.query, job.asked.asked.history)
    if scene and below_scene and job.is_over and not board.hidden:
        with below_scene:
            scenes.measured(scene, board.ordered(), ready, job.asked.asked)
    with lead:
        predicting.ask(ready, job, board.ordered() if 0 in board.results else [])
    with rest.container(key="below"):
        with st.container(key="ending"):
            _ending(board)
        if board.hidden:
            predicting.instruments_wait()
        elif board.results:
            reading.tabs(ready, job.asked.asked, board.ordered())
    if board.opened:
        drawer.show(ready, *board.opened, marks=board.marks, history=job.asked.asked.history)


def _take(board: Board, event: Event) -> None:
    if event.kind == "failed":
        board.failures[event.slot] = event.error or ""
    elif event.result is not None:
        board.results[event.slot] = event.result
    elif event.kind == "written" and event.slot not in board.drawn:
        with board.places[event.slot]:
            title = event.formulation.title if event.formulation else event.transform
            safe.draw(cards.waiting(event.slot, title, "written; searching"))
    # The others are drawn against the original's ranking, so they wait for it.
    known = 0 in board.results or 0 in board.failures
    for slot in sorted({*board.results, *board.failures} - board.drawn):
        if known or slot == 0:
            board.drawn.add(slot)
            with board.places[slot].container(key=f"inner-{slot}", gap="xsmall"):
                _card(board, slot)


def _card(board: Board, slot: int) -> None:
    transform: Any = TRANSFORMS.get(board.names[slot])
    if slot in board.failures:
        safe.draw(cards.failed(slot, transform.label, board.failures[slot]))
        st.button("Retry", key=f"retry-{slot}", on_click=_again)
        return
    result, asked = board.results[slot], board.job.asked.asked
    saw = result.formulation.saw_history if asked.history else None
    if board.hidden:
        predicting.card(slot, result, board.ready.engine.index.title_of, saw_history=saw)
        return
    original = board.results.get(0)
    found = moves.moves(result, original)
    skipped = bool(result.formulation.skip_reason)  # what was not searched has lost nothing
    lost = [] if skipped else moves.gone(result, original)
    safe.draw(
        cards.head(
            slot,
            result.formulation.title,
            result=result,
            badges=badges(result, saw_history=saw),
            moved=moves.summary(found, len(lost)),
        )
        + cards.body(result, board.ready.engine.index.title_of)
    )
    with st.container(key=f"hits-{slot}", gap=None):
        _hits(board, slot, found)
        if lost:
            safe.draw(cards.gone_row(lost))
        safe.draw(details(result))


def _hits(board: Board, slot: int, found: dict[str, moves.Move]) -> None:
    result, asked = board.results[slot], board.job.asked.asked
    if not result.fused.hits and not result.formulation.skip_reason:
        safe.draw(cards.empty_hits(filtered=bool(asked.filter), mode=asked.mode))
    for hit in result.fused.hits:
        with st.container(key=f"hit-{slot}-{hit.rank}"):
            safe.draw(cards.hit_row(hit, found.get(hit.artifact_id), board.marks.get(hit.artifact_id)))
            label = safe.label(f"Open passage {hit.rank} of {result.formulation.title}")
            if st.button(label, key=f"open-{slot}-{hit.rank}", width="stretch"):
                board.opened = (result, hit)


def _again() -> None:
    st.session_state["ask"] = True


def _ending(board: Board) -> None:
    """Sentences about the whole, once it is over."""
    stopped = "stopped" if board.job.stopped else "not run"
    unfinished = sorted(set(range(len(board.names))) - board.drawn)
    for slot in unfinished:
        with board.places[slot]:
            safe.draw(cards.waiting(slot, TRANSFORMS.get(board.names[slot]).label, stopped))
    if unfinished and board.job.stopped in ENDED:
        safe.notice("info", ENDED[board.job.stopped], detail="What was finished stays. Retry asks all of it again.")
        st.button("Retry", key="retry-stopped", on_click=_again)
    error = board.job.error
    if error is not None:
        error = board.job.error = trouble.told(error)
        safe.notice("error", error)
        st.button("Retry", key="retry-all", on_click=_again)
        return
    found = board.ordered()
    if len(found) > 1 and len(found) == len(board.names) and not board.hidden:
        _of_all(found)
    kept = sum(call.cached and not call.recorded for result in found for call in result.formulation.calls)
    if kept:
        with st.container(horizontal=True, vertical_alignment="center", key="kept"):
            said = f"{numbers.count(kept, 'reply was', 'replies were')} kept from an earlier request."
            safe.draw(f'<p class="qp-facts">{safe.text(said)}</p>', width="content")
            st.button("Ask anew", key="anew_button", on_click=_anew, type="tertiary")


def _anew() -> None:
    """Past the kept replies, once; what comes is kept in their place."""
    st.session_state["ask"] = st.session_state["anew"] = True


ENDED = {
    BY_HAND: "You stopped this comparison.",
    LEFT: f"This page was stopped or left for {PATIENCE_S:.0f} s, so the comparison ended without its last columns.",
}


def _of_all(found: Sequence[SearchResult]) -> None:
    if not any(result.fused.hits for result in found):
        safe.notice("info", "No transform found anything. See the reason on the cards.")
    elif all(result.formulation.fell_back for result in found[1:]):
        said = "Every transform fell back to the original query, so there is nothing to compare."
        safe.notice("warning", said, detail="The reason stands on each card.")
    elif moves.unchanged(found):
        said = "Nothing moved: every transform ranks the same documents in the same order as the original."
        safe.notice("info", said)
