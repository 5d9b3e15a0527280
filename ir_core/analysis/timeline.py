"""When what happened: every call, search and wait of a comparison on one clock, as a Gantt chart has it.

Starts are ``time.perf_counter`` readings of one process, so they can be put side by side; those of another process
(a reopened bundle) cannot, and neither can texts that were kept from an earlier time: they took none now.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ir_core.schema import SearchResult

Kind = Literal["waiting", "writing", "looking first", "encoding", "searching"]
APART_S = 1e-6
"""Spans that end and begin closer than this follow each other in one lane."""
SHORTEST_WAIT_S = 1e-4
"""A free lock takes a microsecond: no wait to speak of."""
OWN_WORK_S = 1e-3
"""What a transform computes itself, between its calls and the last search, is drawn from here."""


@dataclass(frozen=True, slots=True)
class Span:
    """``start`` counts seconds from the first start of the comparison; ``lane`` is 0 unless something of the same
    transform runs at the same time."""

    column: int
    lane: int
    kind: Kind
    label: str
    start: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Timeline:
    """``lanes`` is how many each column needs, ``kept`` how many of its texts were kept from an earlier time and are
    not drawn, ``seconds`` from the first start to the last end."""

    titles: tuple[str, ...]
    lanes: tuple[int, ...]
    kept: tuple[int, ...]
    spans: tuple[Span, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class _Bar:
    kind: Kind
    label: str
    start: float
    seconds: float

    @property
    def end(self) -> float:
        return self.start + self.seconds


def timeline(results: Sequence[SearchResult]) -> Timeline:
    """A call that waited has its wait drawn before it. Encoding and searching are a transform's own share of what
    was done for several at once, drawn from when its text was ready."""
    columns = [_bars(result) for result in results]
    starts = [bar.start for bars in columns for group in bars for bar in group]
    zero = min(starts, default=0.0)
    spans: list[Span] = []
    lanes: list[int] = []
    for column, groups in enumerate(columns):
        ends: list[float] = []
        for group in sorted(groups, key=lambda bars: (bars[0].start, bars[-1].end)):
            lane = next((i for i, end in enumerate(ends) if end <= group[0].start + APART_S), len(ends))
            ends[lane : lane + 1] = [group[-1].end]
            spans += [Span(column, lane, bar.kind, bar.label, bar.start - zero, bar.seconds) for bar in group]
        lanes.append(max(1, len(ends)))
    return Timeline(
        titles=tuple(result.formulation.title for result in results),
        lanes=tuple(lanes),
        kept=tuple(sum(call.cached for call in result.formulation.calls) for result in results),
        spans=tuple(spans),
        seconds=max((span.start + span.seconds for span in spans), default=0.0),
    )


def _bars(result: SearchResult) -> list[list[_Bar]]:
    """Groups of bars that follow each other without a gap and stay in one lane."""
    made, trace = result.formulation, result.trace
    groups: list[list[_Bar]] = []
    for call in made.calls:
        if call.cached or not call.started:
            continue
        what = f"{call.task}, {call.model}" + (f": {call.error}" if call.error else "")
        bars = [_Bar("writing", what, call.started, call.seconds)]
        if call.queued > SHORTEST_WAIT_S:
            bars.insert(
                0, _Bar("waiting", f"{call.task}: waiting for its turn", call.started - call.queued, call.queued)
            )
        groups.append(bars)
    groups += _searches(result)
    begun = trace.started or made.started
    if not begun:
        return groups
    written = max([begun, *(group[-1].end for group in groups)])
    ready = max(written, begun + made.seconds + made.queued)
    if ready - written > OWN_WORK_S:
        groups.append([_Bar("writing", "the transform's own work", written, ready - written)])
    waited = trace.queued_s - made.queued
    waited = waited if waited > SHORTEST_WAIT_S else 0.0
    tail = [
        _Bar("waiting", "waiting for the embedder", ready, waited),
        _Bar("encoding", "own share of the encoding", ready + waited, trace.encode_s),
        _Bar(
            "searching",
            f"{trace.n_searches} searches, fusing and reranking",
            ready + waited + trace.encode_s,
            trace.search_s + trace.fuse_s + trace.rerank_s,
        ),
    ]
    last = [bar for bar in tail if bar.seconds > 0]
    return [*groups, last] if last else groups


def _searches(result: SearchResult) -> list[list[_Bar]]:
    """Of the transform or its writer, before the writing. What was waited for them, beside the calls' own waits, is
    drawn before the first: nobody notes it search by search."""
    made = result.formulation
    waited = made.queued - sum(call.queued for call in made.calls)
    groups: list[list[_Bar]] = []
    for step in made.steps:
        if not step.started:
            continue
        before = waited if not groups and waited > SHORTEST_WAIT_S else 0.0
        bars = [_Bar("looking first", step.label, step.started + before, step.seconds)]
        if before:
            bars.insert(0, _Bar("waiting", f"{step.label}: waiting for its turn", step.started, before))
        groups.append(bars)
    return groups
