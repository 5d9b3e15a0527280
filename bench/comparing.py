"""One query through six transforms: how long it takes, and what searching them together costs."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any, ClassVar

import numpy as np

from ir_core.compare import DEFAULT_TRANSFORMS, compare_all
from ir_core.protocols import RunContext
from ir_core.retrieval import Engine, SearchSettings, search_many
from ir_core.retrieval.engine import vector_key
from ir_core.retrieval.lists import dense_lists, lexical_lists
from ir_core.schema import Call, Task, Written
from ir_core.session import open_engine, prepare
from ir_core.writers import open_writer

QUERY = "someone else is logged in as me on the old laptop"
SIX: list[tuple[str, dict[str, Any]]] = [(name, {}) for name in DEFAULT_TRANSFORMS]
REPEATS = 15


@dataclass
class SleepingWriter:
    """Answers every task after ``seconds``: the time of a hosted model without its bill."""

    seconds: float
    name: ClassVar[str] = "sleeping"
    label: ClassVar[str] = "sleeping"
    is_llm: ClassVar[bool] = True
    tasks: ClassVar[frozenset[str]] = frozenset({"rewrite", "multi_query", "hyde", "decompose", "step_back"})

    def write(self, task: Task, context: RunContext) -> list[Written]:
        started = time.perf_counter()
        time.sleep(self.seconds)
        context.record(Call(task.name, self.name, started=started, seconds=self.seconds))
        return [Written(f"{task.query} {task.name} {number}") for number in range(max(2, task.n))]


def six_transforms() -> dict[str, float]:
    """Seconds for six transforms of a help_center query, corpus writer, warm; a new query each time."""
    engine = open_engine(prepare("help_center"))
    writer = open_writer("corpus", index=engine.index)
    compare_all(engine, QUERY, transforms=SIX, writer=writer, settings=SearchSettings())
    times = _times(
        lambda number: compare_all(
            engine, f"{QUERY} {number}", transforms=SIX, writer=writer, settings=SearchSettings()
        )
    )
    return {"six transforms, corpus writer (s, median)": median(times), "worst (s)": max(times)}


def searching_together() -> dict[str, float]:
    """Searching all distinct queries of six formulations ÷ one batch of the same queries, vectors made beforehand."""
    engine = open_engine(prepare("help_center"))
    writer, settings = open_writer("corpus", index=engine.index), SearchSettings()
    formulations = [
        result.formulation
        for result in compare_all(engine, QUERY, transforms=SIX, writer=writer, settings=settings)
    ]
    queries = {vector_key(query): query for made in formulations for query in made.queries}
    distinct = [query for query in queries.values() if "lexical" in query.legs]
    vectors = np.stack(list(engine.encode(list(queries.values())).vectors.values()))
    depth = settings.read_depth

    def one_batch(_: int) -> None:
        dense_lists(engine.index, vectors, depth, None)
        lexical_lists(engine.index, distinct, depth, None)

    spent = [_searched(engine, formulations, settings) for _ in range(REPEATS)]
    return {
        "distinct queries": len(queries),
        "searching ÷ one batch": median(spent) / median(_times(one_batch)),
    }


def _searched(engine: Engine, formulations: list[Any], settings: SearchSettings) -> float:
    return sum(result.trace.search_s for result in search_many(engine, formulations, settings))


def slow_writer() -> dict[str, float]:
    """Six transforms over a writer that sleeps 1 s per call ÷ its slowest chain."""
    engine = open_engine(prepare("help_center"))
    writer = SleepingWriter(1.0)
    started = time.perf_counter()
    results = compare_all(engine, QUERY, transforms=SIX, writer=writer, settings=SearchSettings())
    whole = time.perf_counter() - started
    return {"whole (s)": whole, "whole ÷ slowest chain": whole / max(r.formulation.seconds for r in results)}


def _times(run: Callable[[int], object]) -> list[float]:
    times = []
    for number in range(REPEATS):
        started = time.perf_counter()
        run(number)
        times.append(time.perf_counter() - started)
    return times
