"""Step-back (Zheng et al., ICLR 2024): the broader question beside the narrow one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ir_core.params import param
from ir_core.protocols import RunContext
from ir_core.schema import Formulation, Query, Turn
from ir_core.transforms._base import BaseTransform, notes_of, same_text


@dataclass(frozen=True)
class StepBack(BaseTransform):
    """The original and a broader question, fused; at equal weight a crude one costs more than it brings."""

    name: ClassVar[str] = "step_back"
    label: ClassVar[str] = "Step-back"
    summary: ClassVar[str] = "Adds the broader question behind the narrow one."
    reference: ClassVar[str] = "Zheng et al., Take a Step Back, ICLR 2024"
    aliases: ClassVar[tuple[str, ...]] = ("stepback",)
    order: ClassVar[int] = 50

    weight: float = param(
        0.5, low=0.1, high=5.0, step=0.1, help="How much the broader question counts beside the original (1)."
    )

    def compose(self, original: Query, history: Sequence[Turn], context: RunContext) -> Formulation:
        written = context.write(self.task(original.text, history))
        title = self.title_of(context)
        first = written[0]
        if same_text(first.text, original.text):
            return self.unchanged(original, first.note or "Nothing broader than the question itself.", title=title)
        broader = Query(
            "step-back", first.text, "step_back", self.weight * first.weight, parent=original.id,
            term_weights=first.terms,
        )  # fmt: skip
        return Formulation(
            transform=self.name,
            title=title,
            original=original,
            queries=(original, broader),
            notes=notes_of([first]),
        )
