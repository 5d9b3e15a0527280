"""What a transform made of a query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ir_core.schema.hits import Ranking
from ir_core.schema.queries import Query
from ir_core.schema.writing import Call


@dataclass(frozen=True, slots=True)
class Step:
    """One round in which a transform or its writer searched before writing."""

    label: str
    queries: tuple[Query, ...]
    rankings: tuple[Ranking, ...]
    started: float = 0.0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Formulation:
    """What a transform made of the original. The original is always recorded, whether it is searched or not.

    ``saw_history`` is True when whoever wrote was given the turns before and reads them. ``combine`` names the fusion
    inside each leg ("rrf" where it names none). ``seconds`` is the chain of writing and of searching for it,
    ``queued`` (waiting for others) left out. ``title`` names what was really made, when that is not what the
    transform is named after (feedback passages in place of HyDE).
    """

    transform: str
    title: str
    original: Query
    queries: tuple[Query, ...]
    combine: Mapping[str, str] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()
    calls: tuple[Call, ...] = ()
    notes: tuple[str, ...] = ()
    fallback_reason: str | None = None
    skip_reason: str | None = None
    saw_history: bool = False
    started: float = 0.0
    seconds: float = 0.0
    queued: float = 0.0

    @property
    def searches_original(self) -> bool:
        """True: the original is "added to" the new queries; False: they "replace" it."""
        return any(query.id == self.original.id for query in self.queries)
