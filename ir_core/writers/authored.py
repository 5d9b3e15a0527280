"""Authored examples: what a capable writer might put, so that a visitor with no key sees each transform.

They are no model's output and no evidence of how one would do: ``evaluation`` refuses them by their ``Call.model``.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from ir_core.errors import TaskUnsupported
from ir_core.protocols import RunContext, Writer
from ir_core.schema import AUTHORED, Call, Task, Turn, Written
from ir_core.writers.corpus import CorpusWriter
from ir_core.writers.recorded.entry import digest, fold


class Example(Protocol):
    """Texts by task for a query in its conversation (``library.Authored`` is one)."""

    @property
    def query(self) -> str: ...
    @property
    def history(self) -> tuple[Turn, ...]: ...
    @property
    def texts(self) -> Mapping[str, tuple[str, ...]]: ...


def example_for(examples: Iterable[Example], query: str, history: Sequence[Turn]) -> Example | None:
    """The one that was authored for this query after exactly this conversation; case and white space aside."""
    wanted = fold(query), digest(history)
    return next((one for one in examples if (fold(one.query), digest(one.history)) == wanted), None)


def with_authored(writer: Writer, examples: Iterable[Example], query: str, history: Sequence[Turn]) -> Writer:
    """For a face that shows one query: in place of the corpus writer, the texts authored for this query, where there
    are any. Any other writer stays as it is: who chose it wants to see what it writes."""
    found = example_for(examples, query, history) if writer.name == CorpusWriter.name else None
    return AuthoredWriter(found, writer) if found else writer


class AuthoredWriter:
    """Writes one query's authored texts; whatever else is asked goes to ``otherwise``, whose call then says so.

    A ``Call`` of an authored text has model "authored" and takes no time, tokens or dollars: nothing was asked."""

    name = AUTHORED
    is_llm = False

    def __init__(self, example: Example, otherwise: Writer) -> None:
        self.label = otherwise.label  # it is the one that cannot do a task
        self.tasks = otherwise.tasks | example.texts.keys()
        read = getattr(otherwise, "reads_history", False)
        # What a follow-up refers to is resolved in the example's texts, whatever the other writer does.
        self.reads_history = read is True or frozenset(example.texts) | (read or frozenset())
        self._example = example
        self._otherwise = otherwise

    def warm(self) -> None:
        prepare = getattr(self._otherwise, "warm", None)
        if callable(prepare):
            prepare()

    def write(self, task: Task, context: RunContext) -> list[Written]:
        """At most ``task.n`` authored texts; one sub-question means that the query stays whole.

        :raises TaskUnsupported, WriterError: as ``otherwise``.
        """
        if task.name not in self.tasks:
            raise TaskUnsupported(self.label, task.name)
        texts = self._example.texts.get(task.name)
        if texts is None or example_for([self._example], task.query, task.history) is None:
            return self._otherwise.write(task, context)
        context.check()
        texts = texts[: max(task.n, 1)]
        context.record(
            Call(
                task.name, AUTHORED, texts=texts, tokens_in=0, tokens_out=0, cost_usd=0.0, started=time.perf_counter()
            )
        )
        return [Written(text) for text in texts]
