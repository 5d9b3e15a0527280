"""Searching what was written: in batches for the scores, alone and warm for the seconds."""

from __future__ import annotations

import random
from collections.abc import Sequence

from ir_core.errors import Cancelled
from ir_core.evaluation.writing import Samples, Written, sentence
from ir_core.protocols import Transform
from ir_core.retrieval import Engine, SearchSettings, search_many
from ir_core.schema import Formulation, SearchResult

BATCH = 8
"""Queries searched together: some hundred texts, enough to keep the encoder full and little to do again after a
kill."""
Found = SearchResult | str
"""What was found, or the sentence that says why nothing was."""


def search_rows(
    engine: Engine, rows: Sequence[Sequence[Samples]], settings: SearchSettings
) -> list[list[tuple[Found, ...]]]:
    """Of each query and column what each of its samples finds, all together: see ``search_batch``."""
    found = iter(search_batch(engine, [made for row in rows for samples in row for made in samples], settings))
    return [[tuple(next(found) for _ in samples) for samples in row] for row in rows]


def search_batch(engine: Engine, written: Sequence[Written], settings: SearchSettings) -> list[Found]:
    """One entry per formulation, together; when the batch fails each is tried alone, so one costs only itself."""
    formulations = [made for made in written if isinstance(made, Formulation)]
    try:
        found: list[Found] = [*search_many(engine, formulations, settings, fused_only=True)]
    except Cancelled:
        raise
    except Exception:
        found = [_alone(engine, made, settings) for made in formulations]
    results = iter(found)
    return [next(results) if isinstance(made, Formulation) else made for made in written]


def _alone(engine: Engine, made: Formulation, settings: SearchSettings, *, fused_only: bool = True) -> Found:
    try:
        return search_many(engine, [made], settings, fused_only=fused_only)[0]
    except Cancelled:
        raise
    except Exception as error:
        return sentence(error)


def measure_latency(
    engine: Engine,
    columns: Sequence[Transform],
    rows: Sequence[Sequence[Samples]],
    settings: SearchSettings,
    seed: int = 0,
) -> list[list[list[float | None]]]:
    """Seconds a user would wait for each sample, measured one at a time in shuffled order on a warm engine.

    Vectors are made anew, but for those the transform itself had made while it searched for feedback. None for what
    could not be searched, is not searched, or holds a text from a cache, and for a whole column whose writer wrote
    nothing now: without its seconds, those of the search are not what a user would wait.
    """
    seconds: list[list[list[float | None]]] = [[[None] * len(samples) for samples in row] for row in rows]
    timed = [
        _is_live(transform, [made for row in rows for made in row[slot]]) for slot, transform in enumerate(columns)
    ]
    order = [
        (number, slot, sample, made)
        for number, row in enumerate(rows)
        for slot, samples in enumerate(row)
        for sample, made in enumerate(samples)
        if timed[slot] and isinstance(made, Formulation) and not made.skip_reason
    ]
    random.Random(seed).shuffle(order)
    for number, slot, sample, made in [*order[:1], *order]:  # the first warms up, and is measured again in its turn
        if any(call.cached for call in made.calls):
            continue
        fresh = Engine(engine.index, engine.embedder, engine.reranker)
        fresh.encode([query for step in made.steps for query in step.queries if "dense" in query.legs])
        found = _alone(fresh, made, settings, fused_only=False)  # as a person's search is
        seconds[number][slot][sample] = None if isinstance(found, str) else found.trace.latency_s
    return seconds


def _is_live(transform: Transform, column: Sequence[Written]) -> bool:
    """True when it needs no writer, or its writer was asked now, for one query at least."""
    made = [one for one in column if isinstance(one, Formulation)]
    return not transform.needs_writer or any(not call.cached for one in made for call in one.calls)
