"""The seams: what each part expects of the others. Families never import each other; they receive these.

Who writes the text (``Writer``), how texts are searched (``Transform`` returns a ``Formulation``; the index is
behind ``Searcher``), and, later, when to use which. ``RunContext`` is what one run of one transform is handed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ir_core.errors import Cancelled, TaskUnsupported, WriterError
from ir_core.schema import Call, Formulation, IndexPlan, Raw, Searcher, Task, Turn, Written

Vectors = NDArray[np.float32]
"""(n, dim), unit rows."""


@dataclass(frozen=True, slots=True)
class Progress:
    """One report of a long job. ``seconds_left`` is None until there is something to measure it from."""

    stage: str
    done: int
    total: int
    seconds_left: float | None = None


OnProgress = Callable[[Progress], None]


@runtime_checkable
class IndexingStrategy(Protocol):
    """Turns one artifact into surfaces and filter fields."""

    def decompose(self, artifact_id: str, raw: Raw, metadata: Mapping[str, Any] | None = None) -> IndexPlan: ...


class Embedder(Protocol):
    """Texts to unit vectors. ``languages`` is None for one that reads any."""

    name: str
    fingerprint: str
    dim: int
    max_tokens: int
    languages: frozenset[str] | None

    def encode_document(self, texts: Sequence[str]) -> Vectors: ...

    def encode_query(self, texts: Sequence[str]) -> Vectors: ...

    def token_counts(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, special ones counted, before anything is cut off."""
        ...


class Reranker(Protocol):
    """Scores of (query, text) pairs; higher is better."""

    name: str

    def scores(self, query: str, texts: Sequence[str]) -> list[float]: ...


class Writer(Protocol):
    """Writes what a transform asks for. ``is_llm`` False is shown as "no LLM"; ``tasks`` are those it can do.

    What else one may have: ``reads_history``, True where the turns before are used, or the tasks (a frozenset) for
    which they are; ``warm()``, what it prepares once; ``sends_to``, the host it sends texts to, None where nothing
    leaves the machine; ``foresee(task, corpus_language)``, what a task will take (``schema.Foreseen``), and ``kept``
    with the same two, how many of those calls have a reply from before; ``temperature_of`` with the same two, above 0
    where another ``seed`` brings another text.
    """

    name: str
    label: str
    is_llm: bool
    tasks: frozenset[str]

    def write(self, task: Task, context: RunContext) -> list[Written]:
        """At least one text, best first, every call recorded by ``context.record``.

        :raises ir_core.errors.TaskUnsupported: for a task not in ``tasks``.
        :raises ir_core.errors.WriterError: when there is nothing usable; the message is shown on the card.
        :raises ir_core.errors.Cancelled: when a newer query took over.
        """
        ...


@dataclass
class RunContext:
    """What one run of one transform works with, and where its calls are kept.

    ``cancel`` is checked before every call: once it is set, no further call leaves.
    """

    writer: Writer
    searcher: Searcher
    cancel: threading.Event = field(default_factory=threading.Event)
    corpus_language: str | None = None
    use_cache: bool = True
    _calls: list[Call] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def check(self) -> None:
        """:raises Cancelled: when a newer query took over."""
        if self.cancel.is_set():
            raise Cancelled("A newer query took over.")

    def before_call(self) -> None:
        """What a writer calls right before each request, further tries too: a cap may have a word.

        :raises Cancelled: as ``check``.
        :raises WriterError: when a cap is reached.
        """
        self.check()

    def of_request(self, key: str) -> RunContext:
        """The context of one request, further tries among it. ``key`` stands for all that decides its reply: a run
        that outlives its process writes down by it what was sent and what came back."""
        return self

    def known(self) -> Call | None:
        """The reply to this very request from before the run was interrupted, on record already; None where it has
        to be asked."""
        return None

    def record(self, call: Call) -> None:
        with self._lock:
            self._calls.append(call)

    @property
    def calls(self) -> tuple[Call, ...]:
        with self._lock:
            return tuple(sorted(self._calls, key=lambda call: call.started))

    def write(self, task: Task) -> list[Written]:
        """The writer's texts for one task, at least one; blank ones are dropped.

        :raises TaskUnsupported, WriterError, Cancelled: as the writer's ``write``, and when all texts are blank.
        """
        self.check()
        if task.name not in self.writer.tasks:
            raise TaskUnsupported(self.writer.label, task.name)
        written = [text for text in self.writer.write(task, self) if text.text.strip()]
        if not written:
            raise WriterError("The writer's reply was empty.")
        return written


class Transform(Protocol):
    """What a query becomes. A frozen dataclass whose settings are ``param()`` fields."""

    name: ClassVar[str]
    label: ClassVar[str]
    summary: ClassVar[str]
    reference: ClassVar[str]
    needs_writer: ClassVar[bool]

    def tasks(self, query: str, history: Sequence[Turn]) -> tuple[Task, ...]:
        """All that a writer may be asked for, at most; empty where none is needed."""
        ...

    def formulate(self, query: str, history: Sequence[Turn], context: RunContext) -> Formulation:
        """Never raises for a writer that fails: the original is searched, with the reason in ``fallback_reason``.

        :raises ir_core.errors.Cancelled: when a newer query took over.
        """
        ...


class Timer:
    """Seconds since it was made, and the ``perf_counter`` reading at which it was."""

    def __init__(self) -> None:
        self.started = time.perf_counter()

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.started
