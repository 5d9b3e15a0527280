"""Rocchio feedback (Rocchio 1971; Ide 1971): the query's vector moved towards its first hits."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from ir_core.params import param
from ir_core.protocols import RunContext
from ir_core.schema import Formulation, Query, Turn
from ir_core.text import quoted
from ir_core.transforms._base import BaseTransform
from ir_core.transforms._feedback import (
    DEPTH,
    feedback_terms,
    first_hits,
    source_of,
    stop_words,
    strongest,
)

TERMS = 10
"""Words of the documents that BM25 gets beside the query's."""


@dataclass(frozen=True)
class Rocchio(BaseTransform):
    """q' = q + beta · mean of the first documents, all taken for relevant, none for irrelevant (no gamma). Ide's
    regular feedback, which adds the documents up, is beta = their number. The same as HyDE with feedback passages in
    place of an invented one."""

    name: ClassVar[str] = "rocchio"
    label: ClassVar[str] = "Rocchio feedback"
    summary: ClassVar[str] = "Moves the query's vector towards the first documents it finds."
    reference: ClassVar[str] = "Rocchio, 1971; Ide, 1971; weights as in Salton and Buckley, JASIS 1990"
    order: ClassVar[int] = 75
    needs_writer: ClassVar[bool] = False

    beta: float = param(0.5, low=0.1, high=10.0, step=0.1, help="What the documents weigh beside the query's 1.")
    fb_docs: int = param(3, label="Documents", low=1, high=DEPTH, help="How many first hits are taken for relevant.")
    lexical: str = param(
        "query",
        label="BM25",
        choices=("query", "bag"),
        help=f"query: BM25 keeps the query. bag: it gets {TERMS} words of the documents too, by the same formula.",
    )

    def compose(self, original: Query, history: Sequence[Turn], context: RunContext) -> Formulation:
        hits = first_hits(original, context, self.fb_docs)
        feedback = Query(
            "feedback",
            "\n\n".join(quoted(hit.text) for hit in hits),
            "feedback",
            self.beta,
            legs=("dense",),
            parent=original.id,
            surface_ids=tuple(hit.surface_id for hit in hits),
        )
        queries: tuple[Query, ...] = (original, feedback)
        said = "BM25 keeps the query"
        if self.lexical == "bag":
            documents = [context.searcher.tokenise(hit.text) for hit in hits]
            bag, added = moved(context.searcher.tokenise(original.text), documents, self.beta, stop_words(context))
            if added:
                words = Query(
                    "expansion",
                    ", ".join(added),
                    "expansion",
                    legs=("lexical",),
                    parent=original.id,
                    term_weights=bag,
                )
                queries = (replace(original, legs=("dense",)), feedback, words)
                said = f"BM25 searches the query's words and {len(added)} of the documents'"
        return Formulation(
            transform=self.name,
            title=self.label,
            original=original,
            queries=queries,
            combine={"dense": "centroid", "lexical": "rrf"},
            notes=(
                f"The vector is the query's and {self.beta:g} times the mean of {len(hits)} documents'; {said}.",
                source_of(hits),
            ),
        )


def moved(
    query: Sequence[str], documents: Sequence[Sequence[str]], beta: float, stop: Collection[str]
) -> tuple[dict[str, float], tuple[str, ...]]:
    """The bag q + beta · mean of the documents, each a unit vector of word counts (BM25 multiplies by IDF itself);
    and the ``TERMS`` words of the documents that are kept in it."""
    mean: dict[str, float] = {}
    for tokens in documents:
        for word, weight in _unit(feedback_terms(tokens, stop)).items():
            mean[word] = mean.get(word, 0.0) + weight / len(documents)
    kept = strongest(mean, TERMS)
    bag = _unit(Counter(query))
    for word, weight in kept.items():
        bag[word] = bag.get(word, 0.0) + beta * weight
    return bag, tuple(kept)


def _unit(counts: Mapping[str, int]) -> dict[str, float]:
    length = math.sqrt(sum(count * count for count in counts.values()))
    return {word: count / length for word, count in counts.items()}
