"""Decomposition, in parallel (least-to-most, Zhou et al., ICLR 2023; self-ask, Press et al., EMNLP 2023)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ir_core.params import param
from ir_core.protocols import RunContext
from ir_core.schema import Formulation, Query, Task, Turn
from ir_core.transforms._base import BaseTransform, distinct, notes_of
from ir_core.transforms._hops import unanswered

WHOLE = "One question; left whole."
WAITS = (
    "A part that asks about the answer to another (#1) is left out: all are searched at once here. Sequential "
    "decomposition fills it in."
)


@dataclass(frozen=True)
class Decompose(BaseTransform):
    """Each part of a question is searched for itself; the lists take turns, so that each part keeps its evidence. A
    simple question stays whole."""

    name: ClassVar[str] = "decompose"
    label: ClassVar[str] = "Decomposition"
    summary: ClassVar[str] = "Splits a question that asks for several facts, and searches each part for itself."
    reference: ClassVar[str] = "Zhou et al., Least-to-Most Prompting, ICLR 2023; Press et al., Self-Ask, EMNLP 2023"
    aliases: ClassVar[tuple[str, ...]] = ("decomposition", "query_decomposition", "sub_query")
    order: ClassVar[int] = 40

    n: int = param(4, label="At most", low=2, high=6, help="How many sub-questions there may be.")
    merge: str = param(
        "round_robin", choices=("round_robin", "rrf", "max"), help="How the parts' lists are joined inside each leg."
    )
    keep_original: bool = param(
        True, label="Search the original too", help="Its first three documents then keep their places."
    )

    def task(self, query: str, history: Sequence[Turn]) -> Task:
        return Task(self.name, query, tuple(history), n=self.n)

    def compose(self, original: Query, history: Sequence[Turn], context: RunContext) -> Formulation:
        everything = context.write(self.task(original.text, history))
        found = distinct(everything, original.text, self.n)
        written = [text for text in found if not unanswered(text.text, original.text)]
        title = self.title_of(context)
        if not written or len(everything) < 2:
            said = (WAITS,) if found and len(everything) > 1 else notes_of(everything) or (WHOLE,)
            return self.unchanged(original, *said, title=title)
        parts = tuple(
            Query(f"sub-{i}", text.text, "sub_question", text.weight, parent=original.id)
            for i, text in enumerate(written, start=1)
        )
        return Formulation(
            transform=self.name,
            title=title,
            original=original,
            queries=((original, *parts) if self.keep_original else parts),
            combine={"dense": self.merge, "lexical": self.merge},
            notes=(*notes_of(written), *((WAITS,) if len(written) < len(found) else ())),
        )
