"""The nouns of Query Prism, as frozen values.

An ``Artifact`` is one document of a corpus. A strategy turns it into an ``IndexPlan``: the ``Surface`` texts that
are embedded and matched, and the fields that are filtered on but never embedded. A transform turns what a person
typed into a ``Formulation``: the ``Query`` objects that are searched, and the ``Call`` records of whoever wrote
them. Each (query, leg) gives a ``Ranking`` of ``Hit`` objects; the lists are fused into one, and the
``SearchResult`` holds everything that happened on the way.

Embeddings are float32 arrays (n, dim) with unit rows. Seconds for time (``started`` is a ``time.perf_counter``
reading of this process), US dollars for cost. None means unknown, and is never shown as 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Leg = Literal["dense", "lexical"]
Mode = Literal["dense", "lexical", "hybrid"]
Raw = str | Mapping[str, Any]
Turn = Mapping[str, str]
"""One turn of a conversation, ``{"role": "user" | "assistant", "content": text}``."""

LEGS: tuple[Leg, ...] = ("dense", "lexical")
MODE_LEGS: Mapping[str, tuple[Leg, ...]] = {"dense": ("dense",), "lexical": ("lexical",), "hybrid": LEGS}
ORIGINAL = "original"
"""Id and role of the query as it was typed."""


@dataclass(frozen=True, slots=True)
class Artifact:
    """One document: its id is stable across loads; ``raw`` is the payload as it was read."""

    id: str
    raw: Raw
    metadata: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""

    @property
    def title(self) -> str:
        own = self.raw.get("title") or self.raw.get("name") if isinstance(self.raw, Mapping) else None
        return str(self.metadata.get("title") or own or self.id)


@dataclass(frozen=True, slots=True)
class Surface:
    """A text that stands for an artifact in the index. Never blank.

    ``metadata`` holds ``chunk_index`` (per kind), ``n_chunks`` and, where the text is a slice of the artifact's
    text, ``start`` and ``end`` in characters.
    """

    id: str
    artifact_id: str
    kind: str
    text: str
    granularity: str = "document"
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise ValueError(f"surface {self.id!r} is blank; a strategy leaves blank texts out")


def surface_id(artifact_id: str, kind: str, index: int) -> str:
    return f"{artifact_id}#{kind}#{index}"


@dataclass(frozen=True, slots=True)
class IndexPlan:
    """What one artifact puts into the index: fields to filter on (not embedded) and surfaces to search."""

    filter_fields: Mapping[str, Any]
    surfaces: tuple[Surface, ...]


@dataclass(frozen=True, slots=True)
class Query:
    """One text that is searched. Never edited in place: use ``dataclasses.replace``.

    ``term_weights`` is a weighted bag for the lexical leg, used in place of the text's own words. When
    ``surface_ids`` is set, the mean of those stored vectors is the dense vector and nothing is embedded.
    """

    id: str
    text: str
    role: str = ORIGINAL
    weight: float = 1.0
    legs: tuple[Leg, ...] = LEGS
    parent: str | None = None
    hop: int = 0
    term_weights: Mapping[str, float] | None = None
    surface_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Call:
    """One request to whoever writes. Tokens and cost are None when nobody said them."""

    task: str
    model: str
    prompt_id: str | None = None
    prompt_version: str | None = None
    raw: str = ""
    texts: tuple[str, ...] = ()
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None
    started: float = 0.0
    seconds: float = 0.0
    first_token_s: float | None = None
    queued: float = 0.0
    cached: bool = False
    error: str | None = None


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

    ``combine`` names the fusion inside each leg ("rrf" where it names none). ``seconds`` is the chain of writing and
    of searching for it, ``queued`` (waiting for others) left out. ``title`` names what was really made, when that is
    not what the transform is named after (feedback passages in place of HyDE).
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
    started: float = 0.0
    seconds: float = 0.0
    queued: float = 0.0

    @property
    def searches_original(self) -> bool:
        """True: the original is "added to" the new queries; False: they "replace" it."""
        return any(query.id == self.original.id for query in self.queries)


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one (query, leg) list gave to a fused hit: its rank there (from 1) and its share of the score."""

    query_id: str
    leg: str
    surface_id: str
    rank: int
    share: float


@dataclass(frozen=True, slots=True)
class Hit:
    """One artifact in a list. The shares of ``contributions`` add up to ``score`` within 1e-9."""

    artifact_id: str
    surface_id: str
    kind: str
    text: str
    title: str
    metadata: Mapping[str, Any]
    rank: int
    score: float
    leg_scores: Mapping[str, float] = field(default_factory=dict)
    rerank_score: float | None = None
    contributions: tuple[Contribution, ...] = ()


@dataclass(frozen=True, slots=True)
class Ranking:
    """The list of one (query, leg), or the fused one (both are then "fused"). No gaps in ranks."""

    query_id: str
    leg: str
    hits: tuple[Hit, ...]


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


@dataclass(frozen=True, slots=True)
class Task:
    """What a writer is asked for: up to ``n`` texts of the kind ``name`` for ``query``."""

    name: str
    query: str
    history: tuple[Turn, ...] = ()
    n: int = 1
    hits: tuple[Hit, ...] = ()
    language: str | None = None
    temperature: float = 0.0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Written:
    """One text from a writer. ``surface_ids`` says it stands for those stored surfaces; ``weight`` is the share the
    writer's method gives it beside the query (1 for an LLM's text, beta for Rocchio feedback); ``terms`` is the
    weighted bag behind a text that stands for one (RM3)."""

    text: str
    surface_ids: tuple[str, ...] = ()
    note: str = ""
    weight: float = 1.0
    terms: Mapping[str, float] | None = None


class Searcher(Protocol):
    """Search for whoever needs hits before writing: the same filters as the comparison, counted and timed, at most
    four rounds."""

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

    @property
    def steps(self) -> tuple[Step, ...]: ...
