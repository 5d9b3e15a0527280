"""A writer that is asked the same task once: what the router has had condensed is not condensed again."""

from __future__ import annotations

from typing import Any

from ir_core.protocols import RunContext, Writer
from ir_core.schema import Task, Written
from ir_core.writers.around import WriterAround


class Once(WriterAround):
    """Gives the first answer, or raises the first error, again, and leaves no second call. For one query's run."""

    def __init__(self, writer: Writer) -> None:
        super().__init__(writer)
        self._answers: dict[tuple[Any, ...], list[Written] | Exception] = {}

    def write(self, task: Task, context: RunContext) -> list[Written]:
        key = (task.name, task.query, repr(task.history), task.n, task.language, task.temperature, task.hits)
        known = self._answers.get(key)
        if isinstance(known, Exception):
            raise known
        if known is None:
            try:
                known = self._answers[key] = self.inner.write(task, context)
            except Exception as error:
                self._answers[key] = error
                raise
        return known
