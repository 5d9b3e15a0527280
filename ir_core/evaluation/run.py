"""One evaluation on its way: texts arrive query by query, are searched in batches, and become rows."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ir_core.errors import Cancelled
from ir_core.evaluation.averaging import measured
from ir_core.evaluation.latency import measure_latency
from ir_core.evaluation.measures import Measure, Qrels
from ir_core.evaluation.result import Row
from ir_core.evaluation.rows import row_of
from ir_core.evaluation.searching import BATCH, Found, search_rows
from ir_core.evaluation.writing import Samples
from ir_core.library import JudgedQuery
from ir_core.protocols import OnProgress, Progress, Timer, Transform
from ir_core.retrieval import Engine, SearchSettings


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
        texts: Iterator[list[Samples]],
        timed_queries: int,
        on_progress: OnProgress | None,
    ) -> Iterator[list[Row]]:
        """For each query its row under each transform."""
        timer = Timer()
        written: list[list[Samples]] = []
        retrieved: list[list[tuple[Found, ...]]] = []
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
            rows = [
                [replace(row_of(query, one), latency_s=s) for one, s in zip(found[slot], timed[slot], strict=True)]
                for query, found, timed in zip(queries, retrieved, seconds, strict=True)
            ]
            columns.append(measured(rows, self.wanted, self.qrels))
        for number in range(len(queries)):
            yield [column[number] for column in columns]

    def _search(self, batch: Sequence[list[Samples]]) -> Iterator[list[tuple[Found, ...]]]:
        self._check()
        yield from search_rows(self.engine, batch, self.settings)

    def _check(self) -> None:
        if self.cancel.is_set():
            raise Cancelled("The evaluation was stopped.")

    def _time(self, written: Sequence[list[Samples]], count: int) -> list[list[list[float | None]]]:
        seconds: list[list[list[float | None]]] = [[[None] * len(samples) for samples in row] for row in written]
        sample = random.Random(0).sample(range(len(written)), min(count, len(written)))
        measured = measure_latency(
            self.engine, self.columns, [written[n] for n in sample], self.settings, check=self._check
        )
        for number, row in zip(sample, measured, strict=True):
            seconds[number] = row
        return seconds
