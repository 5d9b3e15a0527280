"""One part of an evaluation's job on its way: texts as they are written are searched in batches, then timed."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from typing import Any

from ir_core.compare import chosen
from ir_core.evaluation import controls
from ir_core.evaluation.found import line_of, places_found
from ir_core.evaluation.job_files import RESULTS, SECONDS, of_part
from ir_core.evaluation.latency import measure_latency, without_vectors
from ir_core.evaluation.plan import Plan
from ir_core.evaluation.rows import row_of
from ir_core.evaluation.searching import BATCH, Found, search_rows
from ir_core.evaluation.texts import Texts, of_sample
from ir_core.evaluation.writing import Samples, write_all
from ir_core.jobs import Handle
from ir_core.library import JudgedQuery
from ir_core.protocols import Transform, Writer
from ir_core.retrieval import Engine
from ir_core.schema import Mode
from ir_core.session import warm_up

Tell = Callable[[int], None]
"""Given how many queries of the part are through all of it."""


class EvaluatingJob:
    """One index and one writer worked on: ``go`` begins, or goes on with what its files hold.

    :param plan: without further parts; ``part`` is its number.
    :param between: called now and then while texts are waited for.
    """

    def __init__(
        self,
        handle: Handle,
        plan: Plan,
        queries: Sequence[JudgedQuery],
        engine: Engine,
        writer: Writer,
        texts: Texts,
        tell: Tell,
        between: Callable[[], None],
        part: int = 0,
    ) -> None:
        self.handle, self.plan, self.engine, self.writer, self.texts = handle, plan, engine, writer, texts
        self.tell, self.between, self.part = tell, between, part
        self.columns: list[Transform] = chosen(plan.transforms)
        self.order = list(queries)
        random.Random(plan.seed).shuffle(self.order)
        self.results = of_part(handle.job, RESULTS, part)
        self.found = places_found(handle.job, plan, part)

    def go(self) -> None:
        """:raises BadFilter, UnknownName: for a filter or kinds that this index does not know.
        :raises Cancelled, CapReached, WriterFails: what is there stays, and another ``go`` goes on from it.
        """
        settings = self.plan.settings(self.plan.modes[0])
        settings.check_kinds(self.engine.index.manifest.kinds)
        self.engine.index.allowed(settings.filter, settings.surfaces)
        batches = [self.order[start : start + BATCH] for start in range(0, len(self.order), BATCH)]
        todo = [batch for batch in batches if any(self._lacks(query) for query in batch)]
        self.tell(self._n_done())
        if todo:
            warm_up(self._fresh(), self.writer)
            self.tell(self._n_done())
        made = write_all(
            self._fresh(), [query for batch in todo for query in batch], self.columns, self.writer, settings,
            self.handle.cancel, use_cache=self.plan.use_cache, seed=self.plan.seed, kept=self.texts,
            samples=self.plan.samples, within=self.handle.give_up, while_waiting=self.between,
        )  # fmt: skip
        with closing(made), closing(self.results):
            for batch in todo:
                self._search(batch, list(self._of(batch, made)))
                self.tell(self._n_done())
            next(made, None)  # to its end, where texts that failed at first are kept after all
        self._time()

    def _of(
        self, batch: Sequence[JudgedQuery], made: Generator[list[Samples], None, None]
    ) -> Generator[list[Samples], None, None]:
        for _ in batch:
            self.handle.check()
            yield next(made)

    def _search(self, batch: Sequence[JudgedQuery], texts: Sequence[list[Samples]]) -> None:
        """These queries together and no others, whichever of them had been found before: vectors differ in their last
        bits with what they are encoded beside, so that what is found does not depend on where a run was interrupted.
        """
        fresh = self._fresh()
        lines = []
        for mode in self.plan.modes:
            settings = self.plan.settings(mode)
            found = search_rows(fresh, texts, settings)
            for leg in controls.in_mode(self.plan.controls, mode):
                for row, control in zip(found, controls.search_control(fresh, batch, leg, settings), strict=True):
                    row.append((control,))
            for query, columns in zip(batch, found, strict=True):
                if (query.id, mode) not in self.found:
                    lines += [line for slot, one in enumerate(columns) for line in _lines(query, slot, mode, one)]
                    self.found.add((query.id, mode))
        self.results.append(*lines)

    def _time(self) -> None:
        """Latency, one query at a time, on a few of them: the first of the shuffled order."""
        lines = of_part(self.handle.job, SECONDS, self.part)
        if lines.read() or not self.plan.timed_queries:
            return
        sample = self.order[: self.plan.timed_queries]
        rows = [[self.texts.samples(query.id, slot) for slot in range(len(self.columns))] for query in sample]
        found: list[Mapping[str, Any]] = []
        for mode in self.plan.modes:
            measured = measure_latency(
                self.engine, self.columns, rows, self.plan.settings(mode), check=self.handle.check
            )
            for query, row in zip(sample, measured, strict=True):
                found += [
                    {"query": query.id, "column": slot, "mode": mode, **of_sample(n, len(seconds)), "seconds": value}
                    for slot, seconds in enumerate(row)
                    for n, value in enumerate(seconds)
                    if value is not None
                ]
        lines.append(*found)
        lines.close()

    def _lacks(self, query: JudgedQuery) -> bool:
        return any((query.id, mode) not in self.found for mode in self.plan.modes)

    def _n_done(self) -> int:
        return sum(not self._lacks(query) for query in self.order)

    def _fresh(self) -> Engine:
        return without_vectors(self.engine)


def _lines(query: JudgedQuery, column: int, mode: Mode, samples: Sequence[Found]) -> list[dict[str, Any]]:
    return [
        line_of(query.id, column, mode, number, len(samples), row_of(query, one))
        for number, one in enumerate(samples)
    ]
