"""What a decider is handed and what it answers."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, Protocol

from ir_core.protocols import Writer
from ir_core.retrieval import Engine, SearchSettings
from ir_core.schema import Call, SearchResult, Turn

ConfidenceFrom = Literal["rule", "model", "measured"]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why: ``weight`` is what it adds to ``label``; None where the decider weighs nothing."""

    text: str
    weight: float | None = None
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """A label, by whom, and why.

    ``decider`` is who decided in the end: "rules" with a ``fallback_reason`` where another was asked and its answer
    could not be used. ``confidence`` lies in [0, 1] and says in ``confidence_from`` where it comes from; None is not
    known, and not shown. ``keeps_original`` overrules the table: the query is searched as it is, and ``original`` is
    that search where it was made already. ``measured`` are the figures a threshold was held against. ``searches`` are
    texts searched.
    """

    label: str
    decider: str
    reasons: tuple[Reason, ...]
    confidence: float | None = None
    confidence_from: ConfidenceFrom | None = None
    calls: tuple[Call, ...] = ()
    searches: int = 0
    seconds: float = 0.0
    fallback_reason: str | None = None
    keeps_original: bool = False
    original: SearchResult | None = None
    measured: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A query whose label is known, such as those a user corrected."""

    text: str
    label: str


@dataclass(frozen=True)
class Context:
    """What a decider may use. ``examples`` are labelled queries; none of those under test may be among them."""

    engine: Engine
    writer: Writer
    settings: SearchSettings
    examples: Sequence[Labelled] = ()
    cancel: threading.Event = field(default_factory=threading.Event)
    use_cache: bool = True


class Decider(Protocol):
    """A frozen dataclass whose settings are ``param()`` fields. ``needs_examples``: without them rules decide."""

    name: ClassVar[str]
    label: ClassVar[str]
    summary: ClassVar[str]
    needs_writer: ClassVar[bool]
    needs_examples: ClassVar[bool]

    def decide(self, query: str, history: Sequence[Turn], context: Context) -> Decision:
        """Never raises for a writer or an index that fails: rules decide then, and ``fallback_reason`` says so.

        :raises ir_core.errors.Cancelled: when a newer query took over.
        """
        ...
