"""A sequential decomposition read back from its result: what each hop asked and found, what was taken from it into
the next, and why it ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ir_core.schema import Formulation, Hit, Query, SearchResult, Step
from ir_core.text import sentences
from ir_core.transforms._chain_of_hops import STOPPED
from ir_core.transforms._hops import stands_in

SHOWN = 3
"""Hits of a hop, as many as are kept as evidence for a sub-question."""
MOST_CHARS = 400


@dataclass(frozen=True, slots=True)
class Asked:
    """One query of a hop and its own first hits: those that were read for an answer, else its evidence.

    ``planned`` is the sub-question before answers were filled in, where that differs."""

    query: Query
    hits: tuple[Hit, ...]
    planned: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What was taken out of a hop: ``text`` (an answer, or a document's sentence), the sentence it stands in, the
    document, and the ids of the queries it went into; none where no later hop came to use it."""

    text: str
    passage: str
    title: str
    surface_id: str
    into: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hop:
    """One hop, from 1. Several queries are bridge queries, one for each document of the hop before."""

    number: int
    asked: tuple[Asked, ...]
    found: tuple[Found, ...]


@dataclass(frozen=True, slots=True)
class Chain:
    """``hops`` is empty where the question stayed whole. ``stopped`` says why it ended early, None where it did not;
    ``unasked`` is what was planned and never searched."""

    title: str
    hops: tuple[Hop, ...]
    stopped: str | None
    unasked: tuple[str, ...] = ()

    @property
    def is_bridge(self) -> bool:
        return any(asked.query.role == "bridge" for hop in self.hops for asked in hop.asked)


def chain_of(result: SearchResult) -> Chain | None:
    """The hops of one result, None where it has nothing to do with hops."""
    made = result.formulation
    queries = [query for query in made.queries if query.hop]
    if not queries and made.transform != "sequential":
        return None
    plan = next((call.texts for call in reversed(made.calls) if call.task == "plan_hops" and not call.error), ())
    steps = {query.id: step for step in made.steps for query in step.queries if step.label.startswith("hop ")}
    by_number: dict[int, list[Query]] = {}
    for query in queries:
        by_number.setdefault(query.hop, []).append(query)
    if by_number and 1 not in by_number and made.original.id in steps:
        by_number[1] = [made.original]  # a bridge's first hop is the question itself
    hops = [
        Hop(
            number,
            tuple(_asked(query, result, steps.get(query.id), plan) for query in by_number[number]),
            tuple(found for query in by_number[number] for found in _found(steps.get(query.id))),
        )
        for number in sorted(by_number)
    ]
    stopped = next((note for note in made.notes if note.startswith(STOPPED)), None)
    unasked = tuple(plan[len(hops) :]) if stopped else ()
    return Chain(made.title, tuple(hops), stopped or _ended(made), unasked)


def _ended(made: Formulation) -> str | None:
    """Why there are no hops at all."""
    if any(query.hop for query in made.queries):
        return None
    return made.fallback_reason or made.skip_reason or next(iter(made.notes), None)


def _asked(query: Query, result: SearchResult, step: Step | None, plan: Sequence[str]) -> Asked:
    read = next((one.hits for one in step.rankings if one.query_id == query.id), ()) if step else ()
    hits = read or result.evidence.get(query.id, ())
    planned = plan[query.hop - 1] if query.role == "sub_question" and 0 < query.hop <= len(plan) else None
    return Asked(query, tuple(hits[:SHOWN]), planned if planned != query.text else None)


def _found(step: Step | None) -> list[Found]:
    """One entry per text and surface, whichever hops it went into."""
    if step is None:
        return []
    hits = {hit.surface_id: hit for ranking in step.rankings for hit in ranking.hits}
    merged: dict[tuple[str, str], list[str]] = {}
    for one in step.taken:
        merged.setdefault((one.text, one.surface_id), []).extend([one.into] if one.into else [])
    return [
        Found(text, _passage(text, hits[surface].text), hits[surface].title, surface, tuple(into))
        for (text, surface), into in merged.items()
        if surface in hits
    ]


def _passage(text: str, of: str) -> str:
    """The sentence a text stands in, else the beginning of the passage; ``MOST_CHARS`` at most."""
    found = next((of[start:end] for start, end in sentences(of) if stands_in(text, of[start:end])), of)
    return found if len(found) <= MOST_CHARS else found[:MOST_CHARS].rstrip() + "…"
