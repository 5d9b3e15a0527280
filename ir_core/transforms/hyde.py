"""HyDE (Gao et al., ACL 2023): search with the vector of an invented answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from ir_core.errors import WriterError
from ir_core.params import param
from ir_core.protocols import RunContext
from ir_core.schema import Formulation, Query, Task, Turn
from ir_core.transforms._base import BaseTransform, distinct, notes_of

AVERAGED_TEMPERATURE = 0.5
"""Passages that are averaged should differ; one alone keeps the prompt's own temperature."""


@dataclass(frozen=True)
class Hyde(BaseTransform):
    """Passages go to the dense leg only: BM25 keeps the user's words, since an invented passage is full of words no
    document holds. Several are sampled apart, a call each, and their vectors averaged: what one got wrong the others
    outvote. HyDE hybrid ("rrf") searches query and passages each for itself and joins the lists. A writer's stored
    surfaces (feedback) come with its own weight."""

    name: ClassVar[str] = "hyde"
    label: ClassVar[str] = "HyDE"
    summary: ClassVar[str] = "Writes a passage that could answer, true or not, and looks for documents like it."
    reference: ClassVar[str] = "Gao et al., Precise Zero-Shot Dense Retrieval without Relevance Labels, ACL 2023"
    aliases: ClassVar[tuple[str, ...]] = ("hypothetical_document",)
    order: ClassVar[int] = 30

    with_query: bool = param(
        True, label="With the query", help="Passage and query are searched together, or the passage alone."
    )
    joined: str = param(
        "mean",
        choices=("mean", "rrf"),
        help="mean: one search with the mean of the vectors. rrf: a search with each, the lists joined by rank; the "
        "passages together weigh what the query does.",
    )
    passages: int = param(
        1, label="Passages", low=1, high=8,
        help="Above 1, averaged HyDE: so many passages are sampled apart at temperature 0.5, a call each, and their "
        "vectors averaged.",
    )  # fmt: skip

    def task(self, query: str, history: Sequence[Turn]) -> Task:
        temperature = AVERAGED_TEMPERATURE if self.passages > 1 else None
        return Task(self.name, query, tuple(history), n=self.passages, temperature=temperature)

    def compose(self, original: Query, history: Sequence[Turn], context: RunContext) -> Formulation:
        written = distinct(context.write(self.task(original.text, history)), original.text, self.passages)
        if not written:
            raise WriterError("The writer only repeated the query in place of a passage.")
        fewer = f"{len(written)} of {self.passages} passages: this writer gave no more that differ."
        shared = len(written) if self.joined == "rrf" else 1
        passages = tuple(
            Query(
                f"hypothetical-{i}",
                text.text,
                "feedback" if text.surface_ids else "hypothetical",
                text.weight / shared,
                legs=("dense",),
                parent=original.id,
                surface_ids=text.surface_ids,
            )
            for i, text in enumerate(written, start=1)
        )
        kept = original if self.with_query else replace(original, legs=("lexical",))
        return Formulation(
            transform=self.name,
            title=self.title_of(context),
            original=original,
            queries=(kept, *passages),
            combine={"dense": "rrf" if self.joined == "rrf" else "centroid", "lexical": "rrf"},
            notes=(*notes_of(written), *((fewer,) if len(written) < self.passages else ())),
        )
