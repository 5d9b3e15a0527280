"""One evaluation on its way: texts arrive query by query, are searched in batches, and become rows."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ir_core.errors import Cancelled
from ir_core.evaluation import measures as measuring
from ir_core.evaluation.measures import Measure, Qrels
from ir_core.evaluation.result import Row, total
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
        scores = [self._score(queries, [row[slot] for row in retrieved]) for slot in range(len(self.columns))]
        for number, query in enumerate(queries):
            yield [
                _row(query, found, scores[slot].get(query.id), seconds[number][slot])
                for slot, found in enumerate(retrieved[number])
            ]

    def _search(self, batch: Sequence[list[Written]]) -> Iterator[list[SearchResult | str]]:
        if self.cancel.is_set():
            raise Cancelled("The evaluation was stopped.")
        width = len(self.columns)
        found = search_batch(self.engine, [made for row in batch for made in row], self.settings)
        for start in range(0, len(found), width):
            yield [_slim(item) for item in found[start : start + width]]

    def _score(
        self, queries: Sequence[JudgedQuery], column: Sequence[SearchResult | str]
    ) -> dict[str, dict[str, float]]:
        runs = {
            query.id: [] if isinstance(found, str) else [hit.artifact_id for hit in found.fused.hits]
            for query, found in zip(queries, column, strict=True)
            if isinstance(found, str) or not found.formulation.skip_reason
        }
        return measuring.score(self.wanted, self.qrels, runs)

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


def _row(
    query: JudgedQuery, found: SearchResult | str, scores: dict[str, float] | None, seconds: float | None
) -> Row:
    if isinstance(found, str):
        return Row(query.id, query.text, query.category, scores, error=found)
    made = found.formulation
    return Row(
        query_id=query.id,
        text=query.text,
        category=query.category,
        scores=scores,
        retrieved=tuple(hit.artifact_id for hit in found.fused.hits),
        queries=tuple(item.text for item in made.queries),
        title=made.title,
        calls=len(made.calls),
        cost_usd=total([call.cost_usd for call in made.calls]),
        tokens_in=total([call.tokens_in for call in made.calls]),
        tokens_out=total([call.tokens_out for call in made.calls]),
        latency_s=seconds,
        fallback_reason=made.fallback_reason,
        skip_reason=made.skip_reason,
    )
