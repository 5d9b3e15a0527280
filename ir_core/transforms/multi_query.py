"""Multi-query with rank fusion (RAG-Fusion, Rackauckas 2024): several wordings, one fused list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from ir_core.errors import WriterError
from ir_core.params import param
from ir_core.protocols import RunContext
from ir_core.schema import Formulation, Query, Task, Turn
from ir_core.transforms._base import BaseTransform, distinct, notes_of


@dataclass(frozen=True)
class MultiQuery(BaseTransform):
    """The original and ``n`` variants, all searched at once and fused."""

    name: ClassVar[str] = "multi_query"
    label: ClassVar[str] = "Multi-query"
    summary: ClassVar[str] = "Asks in several wordings and fuses what each one finds."
    reference: ClassVar[str] = "Rackauckas, RAG-Fusion, 2024; fusion by Cormack et al., SIGIR 2009"
    aliases: ClassVar[tuple[str, ...]] = ("multi_query_expansion", "query_expansion")
    order: ClassVar[int] = 20

    n: int = param(3, label="Variants", low=1, high=8, help="How many other wordings to ask for.")
    original_weight: float = param(
        1.0, low=0.0, high=5.0, step=0.5, help="How much the original counts beside each variant; 0 leaves it out."
    )
    fusion: str = param("rrf", choices=("rrf", "max"), help="How the wordings' lists are joined inside each leg.")

    def task(self, query: str, history: Sequence[Turn]) -> Task:
        return Task(self.name, query, tuple(history), n=self.n)

    def compose(self, original: Query, history: Sequence[Turn], context: RunContext) -> Formulation:
        written = distinct(context.write(self.task(original.text, history)), original.text, self.n)
        if not written:
            raise WriterError("The writer gave no wording that differs from the original.")
        variants = tuple(
            Query(f"variant-{i}", text.text, "variant", text.weight, parent=original.id, term_weights=text.terms)
            for i, text in enumerate(written, start=1)
        )
        kept = (replace(original, weight=self.original_weight),) if self.original_weight else ()
        return Formulation(
            transform=self.name,
            title=self.title_of(context),
            original=original,
            queries=(*kept, *variants),
            combine={"dense": self.fusion, "lexical": self.fusion},
            notes=notes_of(written),
        )
