"""What must hold of a comparison that a stranger hands over: whatever shows or exports it then cannot fail."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ir_core.errors import BadInput
from ir_core.export.comparison import Comparison
from ir_core.schema import Hit, Mode, SearchResult

_APART = frozenset("/\\")
"""A transform's name also names a file."""


@dataclass(frozen=True, slots=True)
class Strategy:
    name: str
    params: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Chosen:
    name: str
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Said:
    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Config:
    """The keys of ``Comparison.config`` that are read again, and their types; others may stand beside them."""

    corpus: str
    strategy: Strategy
    embedder: str
    reranker: str | None
    index: str
    tokeniser: str
    k1: float
    b: float
    idf: str
    filter_fields: tuple[str, ...]
    mode: Mode
    k: int
    depth: int | None
    filter: Mapping[str, Any] | None
    surfaces: tuple[str, ...] | None
    dense_weight: float
    lexical_weight: float
    writer: str
    transforms: tuple[Chosen, ...] = ()
    history: tuple[Said, ...] = ()
    history_left_out: int = 0


def damaged(place: str, what: str) -> BadInput:
    """The error for one place of a bundle, such as ``results.2.below``."""
    return BadInput(f"The bundle is damaged at {place[:80]!r} ({what[:80]}). Export it again.")


def check(made: Comparison) -> None:
    """What types do not say: there are results, their transforms have names that are one word, ranks go up from 1
    without a gap, weights are not negative.

    :raises BadInput: with the place.
    """
    if not made.results:
        raise damaged("results", "there is none")
    for number, result in enumerate(made.results):
        at, name = f"results.{number}", result.formulation.transform
        if not name or not all(c.isprintable() and not c.isspace() and c not in _APART for c in name):
            raise damaged(f"{at}.formulation.transform", "a name is one word, of printable characters, with no slash")
        for place, hits, first in _lists(result):
            _check_hits(f"{at}.{place}", hits, first)
        for query in (result.formulation.original, *result.formulation.queries, *result.derived):
            if query.weight < 0:
                raise damaged(f"{at}.formulation.queries", f"the weight {query.weight} is below 0")


def _lists(result: SearchResult) -> Iterator[tuple[str, Sequence[Hit], int]]:
    """(place, hits, the rank of the first)."""
    yield "fused", result.fused.hits, 1
    yield "below", result.below, 1 + len(result.fused.hits)
    for number, ranking in enumerate(result.rankings):
        yield f"rankings.{number}", ranking.hits, 1
    for number, hits in enumerate(result.evidence.values()):
        yield f"evidence.{number}", hits, 1
    for number, step in enumerate(result.formulation.steps):
        for ranking in step.rankings:
            yield f"formulation.steps.{number}", ranking.hits, 1


def _check_hits(place: str, hits: Sequence[Hit], first: int) -> None:
    for rank, hit in enumerate(hits, start=first):
        if hit.rank != rank:
            raise damaged(f"{place}.{rank - first}.rank", f"it is {hit.rank}, expected {rank}")
        if any(part.rank < 1 for part in hit.contributions):
            raise damaged(f"{place}.{rank - first}.contributions", "a rank is below 1")
