"""Averaged HyDE as the lecture has it (Gao et al., ACL 2023): the mean of several passages, without the query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ir_core.errors import WriterError
from ir_core.params import param
from ir_core.protocols import RunContext
from ir_core.schema import Formulation, Query, Task, Turn
from ir_core.transforms._base import BaseTransform, distinct, notes_of


@dataclass(frozen=True)
class HydeAverage(BaseTransform):
    name: ClassVar[str] = "hyde"
    label: ClassVar[str] = "HyDE, averaged"
    summary: ClassVar[str] = "Searches with the mean vector of several invented passages."

    n: int = param(3, label="Passages", low=1, high=8, help="How many passages are averaged.")

    def compose(self, original: Query, history: Sequence[Turn], context: RunContext) -> Formulation:
        task = Task("hyde", original.text, tuple(history), n=self.n)
        written = distinct(context.write(task), original.text, self.n)
        if not written:
            raise WriterError("The writer only repeated the query in place of passages.")
        passages = tuple(
            Query(
                f"hypothetical-{i}", text.text, "feedback" if text.surface_ids else "hypothetical", text.weight,
                legs=("dense",), parent=original.id, surface_ids=text.surface_ids,
            )
            for i, text in enumerate(written, start=1)
        )  # fmt: skip
        return Formulation(
            transform=self.name,
            title=self.title_of(context),
            original=original,
            queries=passages,
            combine={"dense": "centroid"},
            notes=notes_of(written),
        )
