"""A writer around another: the base of those that cap it, record it, remember it or draw another sample."""

from __future__ import annotations

from typing import Any

from ir_core.protocols import RunContext, Writer
from ir_core.schema import Task, Written


class WriterAround:
    """Everything ``inner`` is, also what only some writers say of themselves (``reads_history``, ``warm``,
    ``sends_to`` …)."""

    def __init__(self, inner: Writer) -> None:
        self.inner = inner
        self.name, self.label, self.is_llm, self.tasks = inner.name, inner.label, inner.is_llm, inner.tasks

    def __getattr__(self, name: str) -> Any:
        if name == "inner":  # a copy is made without ``__init__``
            raise AttributeError(name)
        return getattr(self.inner, name)

    def write(self, task: Task, context: RunContext) -> list[Written]:
        """As ``inner``; raises what it raises."""
        return self.inner.write(task, context)
