"""One transform with a given writer, whose temperature or prompt may be another than the transform would ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ir_core.api._provider import LlmProvider, NoSearch, writer_of
from ir_core.protocols import RunContext, Writer
from ir_core.schema import Formulation, Task, Turn, Written
from ir_core.transforms import TRANSFORMS


@dataclass
class Tuned:
    """A writer whose tasks called ``asked`` are done as ``done_as``, at ``temperature`` (None: the prompt's own)."""

    writer: Writer
    asked: str
    done_as: str
    temperature: float | None = None
    name: str = field(init=False)
    label: str = field(init=False)
    is_llm: bool = field(init=False)
    tasks: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self.name, self.label, self.is_llm = self.writer.name, self.writer.label, self.writer.is_llm
        self.tasks = frozenset({self.asked} if self.done_as in self.writer.tasks else ())

    def write(self, task: Task, context: RunContext) -> list[Written]:
        return self.writer.write(replace(task, name=self.done_as, temperature=self.temperature), context)


def formulated(
    name: str,
    query: str,
    history: Sequence[Turn] | None = None,
    provider: LlmProvider | None = None,
    *,
    prompt_task: str | None = None,
    temperature: float | None = None,
    **settings: Any,
) -> Formulation:
    """What the transform of that name makes of the query with no corpus open; a failure is its ``fallback_reason``.

    :raises BadSetting, UnknownName: for no provider, or a setting the transform does not have.
    """
    writer = Tuned(writer_of(provider), name, prompt_task or name, temperature)
    context = RunContext(writer=writer, searcher=NoSearch())
    return TRANSFORMS.make(name, settings).formulate(query, tuple(history or ()), context)
