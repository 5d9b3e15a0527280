"""What is said about a document that was looked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Status = Literal["indexed", "empty", "not indexed", "not loaded", "unknown"]
"""``empty`` is in the index without a surface, ``not indexed`` in the corpus but not in this build, ``not loaded`` a
file that could not be read, or a record with nothing in it."""
Outcome = Literal[
    "found", "cut", "fusion", "rerank", "depth", "missed", "unasked", "filter", "kinds", "skipped", "absent"
]
"""Where it was lost: below the first k; in the joining of lists that had it among the first k; by the reranker; below
the depth that lists are read to; by the approximate graph; by queries that share no word with it and come nowhere
near; by the filter; by the kinds searched; a query that was not searched; a document that is not in the index."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word as the index's tokeniser reads it, how many surfaces hold it, and whether it is common: a stop word that
    more than a tenth of them hold, or none."""

    token: str
    surfaces: int
    common: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Where the document stands in the list of one (query, leg), read to its end: exact, by the stored vectors.

    ``rank`` is None where no surface of it holds a word of the query; ``of`` counts the artifacts in the whole list.
    ``surface_id`` is its best surface there, ``score`` that one's. ``listed`` is the rank in the list as it was
    searched, None below its depth. ``shared`` and ``lacking`` are the query's words in and not in that surface,
    rarest first; of a mean vector they are those of its members. Both are empty for what is no text (the mean of
    stored vectors).
    """

    query_id: str
    role: str
    text: str
    leg: str
    rank: int | None
    of: int
    score: float | None
    surface_id: str | None
    listed: int | None
    shared: tuple[Word, ...] = ()
    lacking: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage, what became of the document there, and whether it got through (None: it never came so far)."""

    name: str
    said: str
    passed: bool | None


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """The document under one transform.

    ``fused`` is its rank after fusion out of ``fused_of``, before any reranker; ``rank`` the final one, None where it
    is not in the list. ``best`` is the place of ``places`` with the lowest rank. ``changes`` are sentences: what
    would have to change, each tried out.
    """

    transform: str
    title: str
    outcome: Outcome
    verdict: str
    rank: int | None = None
    fused: int | None = None
    fused_of: int = 0
    stages: tuple[Stage, ...] = ()
    places: tuple[Place, ...] = ()
    best: Place | None = None
    changes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OwnSurface:
    """A surface of the document. ``read`` is how many of its ``chars`` the embedder reads; ``searched`` is False
    where the kinds leave it out."""

    id: str
    kind: str
    chars: int
    tokens: int
    read: int
    searched: bool


@dataclass(frozen=True, slots=True)
class Document:
    """What was looked for, by ``asked``. ``reason`` says why it is not searched, where that is so; ``close`` are the
    (id, title) that come nearest to a name nobody has; ``changes`` hold for every transform."""

    asked: str
    status: Status
    artifact_id: str | None = None
    title: str = ""
    reason: str | None = None
    close: tuple[tuple[str, str], ...] = ()
    surfaces: tuple[OwnSurface, ...] = ()
    changes: tuple[str, ...] = ()
    transforms: tuple[Whereabouts, ...] = ()
