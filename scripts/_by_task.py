"""One writer for each task, and another for the rest: recordings rarely hold all that a table of routes asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ir_core.protocols import RunContext, Writer
from ir_core.schema import Task, Written


class ByTask:
    """What ``rest`` has besides ``write`` is this one's too."""

    def __init__(self, writers: Mapping[str, Writer], rest: Writer) -> None:
        self.writers, self.rest = writers, rest
        self.tasks = rest.tasks | frozenset(writers)
        self.name = self.label = ", ".join(dict.fromkeys([*(one.label for one in writers.values()), rest.label]))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rest, name)

    def write(self, task: Task, context: RunContext) -> list[Written]:
        return self.writers.get(task.name, self.rest).write(task, context)
