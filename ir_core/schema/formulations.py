"""What a transform made of a query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ir_core.schema.hits import Ranking
from ir_core.schema.queries import Query
from ir_core.schema.writing import AUTHORED, NO_LLM, Call

WrittenBy = Literal["corpus", "authored", "recorded", "model", "mixed"]
ORIGINS: Mapping[WrittenBy, str] = {"corpus": "no LLM", "authored": "authored example, not a model's"}


@dataclass(frozen=True, slots=True)
class Taken:
    """What was taken out of a hit of a round (an answer, a sentence), from which surface, and the id of the query it
    went into."""

    text: str
    surface_id: str
    into: str


@dataclass(frozen=True, slots=True)
class Step:
    """One round in which a transform or its writer searched before writing; ``taken`` is what a later hop was made
    of."""

    label: str
    queries: tuple[Query, ...]
    rankings: tuple[Ranking, ...]
    started: float = 0.0
    seconds: float = 0.0
    taken: tuple[Taken, ...] = ()


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

    @property
    def fell_back(self) -> bool:
        """True where the original is searched in place of what could not be made. A chain that a cap stopped has a
        ``fallback_reason`` too, and is searched as far as it came."""
        return self.fallback_reason is not None and all(query.id == self.original.id for query in self.queries)

    @property
    def written_by(self) -> WrittenBy | None:
        """Whose texts these are, going by the calls; "recorded" is whoever wrote on an earlier day. None: nobody was
        asked."""
        kinds = {_kind(call) for call in self.calls}
        return "mixed" if len(kinds) > 1 else next(iter(kinds), None)

    @property
    def origins(self) -> tuple[str, ...]:
        """The same in words, as a card has them; a model that was asked just now needs none."""
        found = [ORIGINS.get(_kind(call), call.recorded or "") for call in self.calls]
        return tuple(dict.fromkeys(words for words in found if words))


def _kind(call: Call) -> WrittenBy:
    """An authored text that was recorded is an authored text."""
    if call.model == AUTHORED:
        return "authored"
    if call.recorded:
        return "recorded"
    return "corpus" if call.model == NO_LLM else "model"
