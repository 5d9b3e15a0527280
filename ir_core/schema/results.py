"""Everything about one search, and the searcher handed to whoever needs hits before writing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ir_core.schema.formulations import Formulation, Step
from ir_core.schema.hits import Hit, Ranking
from ir_core.schema.queries import Mode, Query


@dataclass(frozen=True, slots=True)
class Trace:
    """Seconds by stage. ``latency_s`` is what a user would wait: the writer's chain, own share of encoding and own
    search; ``queued_s`` (waiting for others) is apart and not in it. ``started`` and ``spans`` draw the Gantt."""

    writer_s: float = 0.0
    encode_s: float = 0.0
    search_s: float = 0.0
    fuse_s: float = 0.0
    rerank_s: float = 0.0
    queued_s: float = 0.0
    started: float = 0.0
    n_searches: int = 0
    reused_vectors: int = 0

    @property
    def latency_s(self) -> float:
        return self.writer_s + self.encode_s + self.search_s + self.fuse_s + self.rerank_s


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Everything about one formulation's search. The same fingerprint gives the same ranking.

    ``fused`` is cut to k: the list that is shown, measured and exported. ``below`` goes on from k + 1 to the depth,
    to say where a document went. ``derived`` are queries made of others (a mean vector). ``evidence`` is the top of
    each sub-question's own list, by query id: shown apart, never scored.
    """

    formulation: Formulation
    rankings: tuple[Ranking, ...]
    fused: Ranking
    trace: Trace
    fingerprint: str
    below: tuple[Hit, ...] = ()
    derived: tuple[Query, ...] = ()
    evidence: Mapping[str, tuple[Hit, ...]] = field(default_factory=dict)

    def place(self, artifact_id: str) -> int | None:
        """The artifact's rank in the whole fused list (from 1; above k it is a hit), or None: not retrieved."""
        for hit in (*self.fused.hits, *self.below):
            if hit.artifact_id == artifact_id:
                return hit.rank
        return None


class Searcher(Protocol):
    """Search for whoever needs hits before writing: the same filters as the comparison, counted and timed, at most
    four rounds; the same search again is none."""

    def search(
        self,
        queries: Sequence[Query],
        *,
        mode: Mode = "hybrid",
        depth: int = 10,
        filter: Mapping[str, Any] | None = None,
        surfaces: Sequence[str] | None = None,
        label: str = "feedback",
    ) -> list[Ranking]:
        """One fused list per query, ``depth`` artifacts deep.

        :raises ir_core.errors.TooManyRounds: on the fifth round.
        """
        ...

    def tokenise(self, text: str) -> list[str]:
        """The words of a text as the lexical leg reads them."""
        ...

    def for_part(self) -> Searcher:
        """One with rounds and steps of its own, for one transform of a chain on one text; the time is the whole's."""
        ...

    @property
    def steps(self) -> tuple[Step, ...]: ...
