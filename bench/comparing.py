"""One query through six transforms: how long it takes, and what searching them together costs."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import median
from typing import Any, ClassVar

import numpy as np

from ir_core.compare import DEFAULT_TRANSFORMS, compare_all
from ir_core.index import Index
from ir_core.protocols import RunContext
from ir_core.retrieval import SearchSettings, search_many
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


class TimedIndex:
    """The index, with the seconds spent in its two legs added up."""

    def __init__(self, index: Index) -> None:
        self.index, self.seconds = index, 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.index, name)

    def dense(self, *args: Any) -> Any:
        return self._timed(self.index.dense, *args)

    def lexical(self, *args: Any) -> Any:
        return self._timed(self.index.lexical, *args)

    def _timed(self, search: Callable[..., Any], *args: Any) -> Any:
        started = time.perf_counter()
        try:
            return search(*args)
        finally:
            self.seconds += time.perf_counter() - started


def searching_together() -> dict[str, float]:
    """Searching what six formulations ask ÷ one batch of their distinct queries in each leg; vectors made before."""
    engine = open_engine(prepare("help_center"))
    writer, settings = open_writer("corpus", index=engine.index), SearchSettings()
    results = compare_all(engine, QUERY, transforms=SIX, writer=writer, settings=settings)
    formulations = [result.formulation for result in results]
    queries = list({vector_key(query): query for made in formulations for query in made.queries}.values())
    vectors = np.stack(list(engine.encode(queries).vectors.values()))
    words = [query for query in queries if "lexical" in query.legs]
    timed = TimedIndex(engine.index)
    watched = replace(engine, index=timed)  # type: ignore[arg-type]
    batch, together = [], []
    for _ in range(REPEATS):  # in turns, so that a noisy moment falls on both
        for spent, run in (
            (batch, lambda: (dense_lists(timed, vectors, settings.read_depth, None),  # type: ignore[arg-type]
                             lexical_lists(timed, words, settings.read_depth, None))),  # type: ignore[arg-type]
            (together, lambda: search_many(watched, formulations, settings)),
        ):  # fmt: skip
            timed.seconds = 0.0
            run()
            spent.append(timed.seconds)
    return {
        "distinct queries": len(queries),
        "one batch (s)": median(batch),
        "searching ÷ one batch": median(together) / median(batch),
    }


def slow_writer() -> dict[str, float]:
    """Six transforms over a writer that sleeps 1 s per call ÷ its slowest chain."""
    engine = open_engine(prepare("help_center"))
    compare_all(engine, QUERY, transforms=SIX, writer=SleepingWriter(0.0), settings=SearchSettings())
    writer = SleepingWriter(1.0)
    started = time.perf_counter()
    results = compare_all(engine, f"{QUERY} again", transforms=SIX, writer=writer, settings=SearchSettings())
    whole = time.perf_counter() - started
    return {"whole (s)": whole, "whole ÷ slowest chain": whole / max(r.formulation.seconds for r in results)}


def _times(run: Callable[[int], object], repeats: int = REPEATS) -> list[float]:
    times = []
    for number in range(repeats):
        started = time.perf_counter()
        run(number)
        times.append(time.perf_counter() - started)
    return times
