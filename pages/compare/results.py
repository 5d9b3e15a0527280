"""The cards, drawn as their results come in, and what stands below them once all are there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from ir_core.compare import Event
from ir_core.schema import Hit, SearchResult
from ir_core.transforms import TRANSFORMS
from pages._ui import cards, moves, numbers, safe, trouble
from pages._ui.jobs import Job, follow
from pages.compare import drawer, reading, wanted
from pages.compare.setup import Ready


@dataclass
class Board:
    """What is known so far, by slot, and where each slot is drawn. ``opened`` is the hit that was clicked."""

    ready: Ready
    job: Job
    places: list[Any] = field(default_factory=list)
    results: dict[int, SearchResult] = field(default_factory=dict)
    failures: dict[int, str] = field(default_factory=dict)
    drawn: set[int] = field(default_factory=set)
    opened: tuple[SearchResult, Hit] | None = None
    marks: dict[str, str] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.job.asked.asked.choices]

    def ordered(self) -> list[SearchResult]:
        return [self.results[slot] for slot in sorted(self.results)]


def show(ready: Ready, job: Job) -> None:
    """Draw the comparison, following it to its end while it runs."""
    board = Board(ready, job, marks=wanted.marks(ready, job.asked.asked.query))
    with st.container(key="other"):
        _other_question(ready, job)
    status = st.empty()
    with st.container(key="cards"):
        for slot, name in enumerate(board.names):
            with st.container(key=f"card-{slot}"):
                place = st.empty()
                with place:
                    safe.draw(cards.waiting(slot, TRANSFORMS.get(name).label, "waiting for its text"))
                board.places.append(place)

    def draw(events: list[Event]) -> None:
        for event in events:
            _take(board, event)
        if events or not board.drawn:
            with status:
                safe.draw(_status(board))

    follow(job, draw)
    with status:
        safe.draw(_status(board))
    with st.container(key="ending"):
        _ending(board)
    if board.results:
        reading.tabs(ready, job.asked.asked, board.ordered())
    if board.opened:
        drawer.show(ready, *board.opened, marks=board.marks)


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
    original = board.results.get(0)
    found = moves.moves(result, original)
    lost = moves.gone(result, original)
    sees = getattr(transform, "sees_history", False) if asked.history else None
    safe.draw(
        cards.head(
            slot,
            result.formulation.title,
            result=result,
            badges=cards.badges(result, is_llm=asked.writer.is_llm, sees_history=sees),
            moved=moves.summary(found, len(lost)),
        )
        + cards.body(result, _titles(board.ready))
    )
    with st.container(key=f"hits-{slot}", gap=None):
        _hits(board, slot, found)
        if lost:
            safe.draw(cards.gone_row(lost))


def _hits(board: Board, slot: int, found: dict[str, moves.Move]) -> None:
    result, asked = board.results[slot], board.job.asked.asked
    if not result.fused.hits and not result.formulation.skip_reason:
        safe.draw(cards.empty_hits(filtered=bool(asked.filter), mode=asked.mode))
    for hit in result.fused.hits:
        with st.container(key=f"hit-{slot}-{hit.rank}"):
            safe.draw(cards.hit_row(hit, found.get(hit.artifact_id), board.marks.get(hit.artifact_id)))
            label = f"Open passage {hit.rank} of {TRANSFORMS.get(board.names[slot]).label}"
            if st.button(label, key=f"open-{slot}-{hit.rank}", width="stretch"):
                board.opened = (result, hit)


def _titles(ready: Ready) -> cards.Titles:
    index = ready.engine.index

    def title_of(surface: str) -> str:
        row = index.row_of.get(surface)
        return surface if row is None else index.titles[int(index.artifact_of[row])]

    return title_of


def _again() -> None:
    st.session_state["ask"] = True


def _other_question(ready: Ready, job: Job) -> None:
    """Says so when the cards answer something else than what is now in the form."""
    asked = job.asked
    if asked.index != ready.manifest.fingerprint:
        safe.notice(
            "warning",
            "The index was built anew since; these cards are of the one before. Press Compare to search the new one.",
        )
    elif asked.asked.query.strip() != st.session_state["query"].strip():
        safe.notice(
            "info",
            f"These cards answer: {asked.asked.query}",
            detail="Press Compare to ask what is typed now.",
        )


def _status(board: Board) -> str:
    if not board.job.events and not board.job.is_over:
        return _headed("getting ready: the model and the statistics of the corpus are loaded once")
    total, done = len(board.names), len(board.results)
    fell = sum(bool(result.formulation.fallback_reason) for result in board.results.values())
    parts = [f"{done} of {total} finished"]
    if fell:
        parts.append(f"{fell} fell back")
    if board.failures:
        parts.append(f"{len(board.failures)} failed")
    if board.job.is_over and board.job.cancel.is_set():
        parts.append("stopped by a newer question")
    if done == total:
        slowest = max(result.trace.latency_s for result in board.results.values())
        parts.append(f"slowest {numbers.seconds(slowest)}")
    return _headed(" · ".join(parts))


def _headed(said: str) -> str:
    return (
        '<div class="qp-status"><h2 class="qp-h2">Side by side</h2>'
        f'<p class="qp-facts" role="status">{safe.text(said)}</p></div>'
    )


def _ending(board: Board) -> None:
    """Sentences about the whole, once it is over."""
    stopped = "stopped by a newer question" if board.job.cancel.is_set() else "not run"
    for slot in set(range(len(board.names))) - board.drawn:
        with board.places[slot]:
            safe.draw(cards.waiting(slot, TRANSFORMS.get(board.names[slot]).label, stopped))
    error = board.job.error
    if error is not None:
        from ir_core.errors import QueryPrismError

        if not isinstance(error, QueryPrismError):
            error = board.job.error = QueryPrismError(trouble.report(error))  # logged once, under one reference
        safe.notice("error", error)
        st.button("Retry", key="retry-all", on_click=_again)
        return
    found = board.ordered()
    if len(found) > 1 and len(found) == len(board.names):
        if not any(result.fused.hits for result in found):
            safe.notice("info", "No transform found anything. See the reason on the cards.")
        elif moves.unchanged(found):
            safe.notice(
                "info",
                "Nothing moved: every transform ranks the same documents in the same order as the original.",
            )
