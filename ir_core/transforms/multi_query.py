"""Multi-query with rank fusion (RAG-Fusion, Rackauckas 2024): several wordings, one fused list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from ir_core.errors import WriterError
from ir_core.params import param
from ir_core.protocols import RunContext
from ir_core.schema import Formulation, Query, Task, Turn, Written
from ir_core.transforms._base import BaseTransform, distinct, notes_of

DIVERSE = "diverse_queries"
MANNERS = ("keywords", "meaning", "angle", "formal", "informal")
"""Of the diverse wordings, in the order in which they are asked for; after DMQR-RAG (Li et al., 2024), where wordings
that differ in kind find more than those that differ in words."""


@dataclass(frozen=True)
class MultiQuery(BaseTransform):
    """The original and ``n`` variants, all searched at once and fused; in diverse mode one variant in each manner."""

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
    mode: str = param(
        "alike", label="Wordings", choices=("alike", "diverse"),
        help="Alike: so many that mean the same. Diverse: five, by keywords, by meaning, from another angle, "
        "formal and informal.",
    )  # fmt: skip

    @property
    def most_texts(self) -> int:
        return self._wanted + bool(self.original_weight)

    @property
    def _wanted(self) -> int:
        return len(MANNERS) if self.mode == "diverse" else self.n

    def task(self, query: str, history: Sequence[Turn]) -> Task:
        return Task(DIVERSE if self.mode == "diverse" else self.name, query, tuple(history), n=self._wanted)

    def compose(self, original: Query, history: Sequence[Turn], context: RunContext) -> Formulation:
        everything = context.write(self.task(original.text, history))
        written = distinct(everything, original.text, self._wanted)
        if not written:
            raise WriterError("The writer gave no wording that differs from the original.")
        names, said = self._names(everything, written)
        variants = tuple(
            Query(f"variant-{name}", text.text, "variant", text.weight, parent=original.id, term_weights=text.terms)
            for name, text in zip(names, written, strict=True)
        )
        kept = (replace(original, weight=self.original_weight),) if self.original_weight else ()
        return Formulation(
            transform=self.name,
            title=self.title_of(context),
            original=original,
            queries=(*kept, *variants),
            combine={"dense": self.fusion, "lexical": self.fusion},
            notes=(*notes_of(written), *said),
        )

    def _names(
        self, everything: Sequence[Written], written: Sequence[Written]
    ) -> tuple[Sequence[object], tuple[str, ...]]:
        """What the variants are called: their number, or their manner, which only the order tells."""
        numbers = range(1, len(written) + 1)
        if self.mode != "diverse":
            return numbers, ()
        if len(everything) < len(MANNERS):
            few = f"{len(everything)} of {len(MANNERS)} wordings came: which is in which manner is not known."
            return numbers, (few,)
        manner = {id(text): name for text, name in zip(everything, MANNERS, strict=False)}
        return [manner[id(text)] for text in written], ()
