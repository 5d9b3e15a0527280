"""Rewrite-retrieve-read (Ma et al., EMNLP 2023): one better-worded query in place of the original."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ir_core.params import param
from ir_core.protocols import RunContext
from ir_core.schema import Formulation, Query, Turn
from ir_core.transforms._base import BaseTransform, same_text


@dataclass(frozen=True)
class Rewrite(BaseTransform):
    """Replaces the original unless ``original_weight`` is above 0."""

    name: ClassVar[str] = "rewrite"
    label: ClassVar[str] = "Rewrite"
    summary: ClassVar[str] = "Says the same in clearer words: typos mended, acronyms spelled out, chatter removed."
    reference: ClassVar[str] = "Ma et al., Query Rewriting for Retrieval-Augmented LLMs, EMNLP 2023"
    aliases: ClassVar[tuple[str, ...]] = ("query_rewrite",)
    order: ClassVar[int] = 10

    original_weight: float = param(
        0.0, low=0.0, high=5.0, step=0.5, help="0: the rewrite replaces the original. Above 0: both are searched."
    )

    @property
    def most_texts(self) -> int:
        return 1 + bool(self.original_weight)

    def compose(self, original: Query, history: Sequence[Turn], context: RunContext) -> Formulation:
        written = context.write(self.task(original.text, history))
        title = self.title_of(context)
        first = written[0]
        if same_text(first.text, original.text):
            return self.unchanged(original, first.note or "The writer left the query as it was.", title=title)
        rewrite = Query("rewrite", first.text, "rewrite", first.weight, parent=original.id, term_weights=first.terms)
        kept = (Query(original.id, original.text, weight=self.original_weight),) if self.original_weight else ()
        return Formulation(
            transform=self.name,
            title=title,
            original=original,
            queries=(*kept, rewrite),
            notes=(first.note,) if first.note else (),
        )
