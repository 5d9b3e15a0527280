"""One evaluation on its way: texts arrive query by query, are searched in batches, and become rows."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ir_core.errors import Cancelled
from ir_core.evaluation.measures import Measure, Qrels
from ir_core.evaluation.result import Row
from ir_core.evaluation.rows import row_of, scored
from ir_core.evaluation.searching import measure_latency, search_batch
from ir_core.evaluation.writing import Written
from ir_core.library import JudgedQuery
from ir_core.protocols import OnProgress, Progress, Timer, Transform
from ir_core.retrieval import Engine, SearchSettings
from ir_core.schema import SearchResult

BATCH = 32
"""Queries searched together: some hundreds of texts, enough to keep the encoder full and the hits out of memory."""


@dataclass(frozen=True)
class Run:
    """The engine should be one of its own, so that no vector is there before its time."""

    engine: Engine
    settings: SearchSettings
    columns: Sequence[Transform]
    wanted: Sequence[Measure]
    qrels: Qrels
    cancel: threading.Event

    def rows(
        self,
        queries: Sequence[JudgedQuery],
        texts: Iterator[list[Written]],
        timed_queries: int,
        on_progress: OnProgress | None,
    ) -> Iterator[list[Row]]:
        """For each query its row under each transform."""
        timer = Timer()
        written: list[list[Written]] = []
        retrieved: list[list[SearchResult | str]] = []
        for made in texts:
            written.append(made)
            if len(written) % BATCH == 0 or len(written) == len(queries):
                retrieved.extend(self._search(written[len(retrieved) :]))
            if on_progress:
                left = timer.seconds / len(written) * (len(queries) - len(written))
                on_progress(Progress("queries", len(written), len(queries), left))
        seconds = self._time(written, timed_queries)
        columns = []
        for slot in range(len(self.columns)):
            rows = [row_of(query, found[slot]) for query, found in zip(queries, retrieved, strict=True)]
            columns.append(scored(rows, self.wanted, self.qrels))
        for number in range(len(queries)):
            yield [replace(column[number], latency_s=seconds[number][slot]) for slot, column in enumerate(columns)]

    def _search(self, batch: Sequence[list[Written]]) -> Iterator[list[SearchResult | str]]:
        if self.cancel.is_set():
            raise Cancelled("The evaluation was stopped.")
        width = len(self.columns)
        found = search_batch(self.engine, [made for row in batch for made in row], self.settings)
        for start in range(0, len(found), width):
            yield [_slim(item) for item in found[start : start + width]]

    def _time(self, written: Sequence[list[Written]], count: int) -> list[list[float | None]]:
        seconds: list[list[float | None]] = [[None] * len(self.columns) for _ in written]
        sample = random.Random(0).sample(range(len(written)), min(count, len(written)))
        measured = measure_latency(self.engine, self.columns, [written[n] for n in sample], self.settings)
        for number, row in zip(sample, measured, strict=True):
            seconds[number] = row
        return seconds


def _slim(found: SearchResult | str) -> SearchResult | str:
    """Without the lists behind the fused one, of which 500 queries make a million hits."""
    return found if isinstance(found, str) else replace(found, rankings=(), below=(), evidence={})
