"""Seconds a user would wait, measured apart: one search at a time, warm, with nothing that another column has made.

What was written for the scores ran beside other queries and transforms, whose vectors and feedback searches it could
use. Here every search encodes its own texts, and what a transform searched before it wrote is searched again; only
the seconds of the writer's calls are those of then. The columns of one query are measured one after the other in
shuffled order, so that whatever else the machine does meets them alike.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from ir_core.evaluation.searching import search_alone
from ir_core.evaluation.writing import Samples, Written
from ir_core.protocols import Timer, Transform
from ir_core.retrieval import Engine, IndexSearcher, SearchSettings
from ir_core.schema import Formulation

REPEATS = 3
"""Measurements of one text, of which the least counts: what else the machine does only adds to it."""


def measure_latency(
    engine: Engine,
    columns: Sequence[Transform],
    rows: Sequence[Sequence[Samples]],
    settings: SearchSettings,
    seed: int = 0,
    check: Callable[[], None] = lambda: None,
) -> list[list[list[float | None]]]:
    """Seconds of each sample, by query and column.

    None for what could not be searched, is not searched, or holds a text from a cache, and for a whole column whose
    writer wrote nothing now: without its seconds, those of the search are not what a user would wait.

    :param check: called before each query; what it raises ends the pass.
    """
    seconds: list[list[list[float | None]]] = [[[None] * len(samples) for samples in row] for row in rows]
    live = [
        _is_live(transform, [made for row in rows for made in row[slot]]) for slot, transform in enumerate(columns)
    ]
    shuffled = random.Random(seed)
    warm: set[int] = set()
    for number in shuffled.sample(range(len(rows)), len(rows)):
        check()
        places = [
            (slot, sample, made)
            for slot, samples in enumerate(rows[number])
            for sample, made in enumerate(samples)
            if live[slot] and isinstance(made, Formulation) and _is_timed(made)
        ]
        for slot, _, made in places:
            if slot not in warm:  # a kind of text that was never encoded, a leg that was never searched
                warm.add(slot)
                seconds_alone(engine, made, settings)
        todo = places * REPEATS
        for slot, sample, made in shuffled.sample(todo, len(todo)):
            took, least = seconds_alone(engine, made, settings), seconds[number][slot][sample]
            seconds[number][slot][sample] = took if took is None or least is None else min(took, least)
    return seconds


def seconds_alone(engine: Engine, made: Formulation, settings: SearchSettings) -> float | None:
    """Of the writer's chain as it was, with its own searches of now, and of this search, as a person's is; None where
    it could not be searched."""
    fresh = without_vectors(engine)
    steps = {
        tuple((one.text, one.role) for one in step.queries): step for step in made.steps
    }  # a repeated one is free
    searcher, timer = IndexSearcher(fresh, settings), Timer()
    for step in steps.values():
        searcher.for_part().search(step.queries, label=step.label)
    searched = timer.seconds
    writing = max(0.0, made.seconds - sum(step.seconds for step in steps.values())) + searched
    found = search_alone(fresh, replace(made, seconds=writing), settings, fused_only=False)
    return None if isinstance(found, str) else found.trace.latency_s


def without_vectors(engine: Engine) -> Engine:
    """The same, with no vector that is there before its time."""
    return Engine(engine.index, engine.embedder, engine.reranker)


def _is_timed(made: Formulation) -> bool:
    return not made.skip_reason and not any(call.cached for call in made.calls)


def _is_live(transform: Transform, column: Sequence[Written]) -> bool:
    """True when it needs no writer, or its writer was asked now, for one query at least."""
    made = [one for one in column if isinstance(one, Formulation)]
    return not transform.needs_writer or any(not call.cached for one in made for call in one.calls)
