"""Transforms one after the other, each on every query text that the one before made."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

from ir_core.errors import CapReached
from ir_core.params import param
from ir_core.protocols import RunContext
from ir_core.schema import Formulation, Query, Task, Turn
from ir_core.transforms._base import BaseTransform
from ir_core.transforms._folding import Folded
from ir_core.transforms._steps import EXAMPLE, steps_of

MOST_QUERIES = 8


@dataclass(frozen=True)
class Chain(BaseTransform):
    """Weights multiply; passages and bags of weighted terms are no query texts, so they pass through. A step that
    fails leaves its query as it was before it, and a note says so; it is a fallback only where nothing was made at
    all, or a cap was reached. Each step may search before it writes as often as it may alone."""

    name: ClassVar[str] = "chain"
    label: ClassVar[str] = "Chain"
    summary: ClassVar[str] = "Runs transforms one after the other, such as condense, then HyDE."
    reference: ClassVar[str] = (
        "Modular RAG (Gao et al., 2024) puts such operators in sequence; pipelines of transformers after PyTerrier "
        "(Macdonald and Tonellotto, ICTIR 2020)"
    )
    aliases: ClassVar[tuple[str, ...]] = ("pipeline",)
    order: ClassVar[int] = 190

    steps: str = param(
        "condense > hyde", label="Steps", help=f"Transforms with > between them, settings in brackets: {EXAMPLE}"
    )

    def __post_init__(self) -> None:
        steps_of(self.steps, self.name)

    @cached_property
    def parsed(self) -> list[Any]:
        """The transforms of its steps."""
        return steps_of(self.steps, self.name)

    @property
    def most_texts(self) -> int:
        return MOST_QUERIES

    def tasks(self, query: str, history: Sequence[Turn]) -> tuple[Task, ...]:
        found: list[Task] = []
        texts = 1
        for step in self.parsed:
            found += step.tasks(query, history) * texts
            texts = min(MOST_QUERIES, texts * step.most_texts)
        return tuple(found)

    def compose(self, original: Query, history: Sequence[Turn], context: RunContext) -> Formulation:
        folded = Folded(original)
        titles: list[str] = []
        for number, step in enumerate(self.parsed, start=1):
            context.check()
            worked = folded.texts
            made = _each(step, [query.text for query in worked], folded.history_left(history), context)
            titles.append(made[0].title if made else str(step.label))
            if len(worked) == 1 and made[0].skip_reason:
                return replace(self.unchanged(original), title=_title(titles), skip_reason=made[0].skip_reason)
            by_id = dict(zip((one.id for one in worked), made, strict=True))
            folded = folded.after(f"Step {number}, {step.label}", by_id, most=MOST_QUERIES)
        capped = [failure for failure in folded.failures if failure.startswith(CapReached.begins)]
        nothing = all(query.id == original.id for query in folded.queries)
        reasons = capped or (folded.failures if nothing else ())
        left_out = [f"One step was left out: {failure}" for failure in folded.failures if failure not in reasons]
        return Formulation(
            transform=self.name,
            title=_title(titles),
            original=original,
            queries=folded.queries,
            combine=folded.combine,
            steps=folded.steps,
            notes=(*folded.notes, *left_out),
            fallback_reason=" ".join(reasons) or None,
            saw_history=folded.saw_history,
        )


def _each(step: Any, texts: Sequence[str], history: Sequence[Turn], context: RunContext) -> list[Formulation]:
    """The step's formulation of each text; a model is asked for all at the same time."""

    def one(text: str) -> Formulation:
        own = replace(context, searcher=context.searcher.for_part(), _calls=[])
        made: Formulation = step.formulate(text, history, own)
        for call in own.calls:
            context.record(call)
        return made

    if len(texts) < 2 or not context.writer.is_llm:
        return [one(text) for text in texts]
    with ThreadPoolExecutor(max_workers=len(texts), thread_name_prefix="chain") as pool:
        return list(pool.map(one, texts))


def _title(titles: Sequence[str]) -> str:
    return "Chain: " + " → ".join(titles)
