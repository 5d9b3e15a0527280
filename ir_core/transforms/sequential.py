"""Decomposition, one hop after the other (self-ask, Press et al., EMNLP 2023; IRCoT, Trivedi et al., ACL 2023)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from ir_core.params import param
from ir_core.protocols import RunContext
from ir_core.schema import Formulation, Query, Taken, Task, Turn
from ir_core.transforms._base import BaseTransform, distinct, notes_of
from ir_core.transforms._chain_of_hops import ChainOfHops

MAX_HOPS = 4
NOTHING = "The first documents leave nothing to ask; left whole."
DEPTH = 10
"""As deep as all feedback is read, so that a comparison searches for it once."""


@dataclass(frozen=True)
class Sequential(BaseTransform):
    """A question whose parts depend on each other: the first is searched, its answer is taken from what it found and
    filled into the next. A writer that cannot plan makes bridge queries instead, which the title then says. A simple
    question stays whole."""

    name: ClassVar[str] = "sequential"
    label: ClassVar[str] = "Sequential decomposition"
    summary: ClassVar[str] = "Searches one part of a question, and fills what it finds into the next part."
    reference: ClassVar[str] = (
        "Press et al., Self-Ask, EMNLP 2023; Trivedi et al., IRCoT, ACL 2023; Trivedi et al., MuSiQue, TACL 2022"
    )
    aliases: ClassVar[tuple[str, ...]] = ("hops", "multi_hop", "sequential_decomposition")
    order: ClassVar[int] = 41

    hops: int = param(MAX_HOPS, label="Hops, at most", low=2, high=MAX_HOPS, help="How many parts are searched.")
    bridges: int = param(
        3, label="Bridge queries", low=1, high=5, help="With no LLM: one for each of so many first documents."
    )
    merge: str = param(
        "round_robin", choices=("round_robin", "rrf", "max"), help="How the hops' lists are joined inside each leg."
    )
    keep_original: bool = param(
        True, label="Search the original too", help="Its first three documents then keep their places."
    )

    def tasks(self, query: str, history: Sequence[Turn]) -> tuple[Task, ...]:
        """A plan and an answer for each hop but the last; or, from a writer that does not plan, bridge queries."""
        answers = (Task("extract_answer", query),) * (self.hops - 1)
        return (self._plan(query, history), *answers, self._bridge(query, history))

    @property
    def most_texts(self) -> int:
        """Answers are filled into the hops, and are no queries of their own."""
        return 1 + max(self.hops, self.bridges)

    def compose(self, original: Query, history: Sequence[Turn], context: RunContext) -> Formulation:
        if "plan_hops" not in context.writer.tasks and "bridge" in context.writer.tasks:
            return self._bridged(original, history, context)
        planned = context.write(self._plan(original.text, history))[: self.hops]
        title = self.title_of(context)
        if len(distinct(planned, original.text, self.hops)) < 2:
            return self.unchanged(original, *notes_of(planned) or ("One question; left whole.",), title=title)
        chain = ChainOfHops(original, planned, context)
        chain.run()
        if not chain.queries:
            return self.unchanged(original, *chain.notes, title=title)
        made = self._merged(original, chain.queries, title)
        return replace(made, notes=(*notes_of(planned), *chain.notes), steps=chain.steps)

    def _bridged(self, original: Query, history: Sequence[Turn], context: RunContext) -> Formulation:
        hits = context.searcher.search([original], depth=DEPTH, label="hop 1")[0].hits
        task = replace(self._bridge(original.text, history), hits=hits)
        everything = context.write(task)
        written = distinct(everything, original.text, self.bridges)
        title = self.title_of(context)
        if not written:
            return self.unchanged(original, *notes_of(everything) or (NOTHING,), title=title)
        queries = [
            Query(f"bridge-{i}", text.text, "bridge", text.weight, parent=original.id, hop=2)
            for i, text in enumerate(written, start=1)
        ]
        texts = {hit.surface_id: hit.text for hit in hits}
        taken = tuple(
            Taken(_quoted(one.text, texts[surface]), surface, query.id)
            for one, query in zip(written, queries, strict=True)
            for surface in one.surface_ids[:1]
            if surface in texts
        )
        *before, first = context.searcher.steps
        made = self._merged(original, queries, title)
        return replace(made, notes=notes_of(written), steps=(*before, replace(first, taken=taken)))

    def _merged(self, original: Query, queries: Sequence[Query], title: str) -> Formulation:
        return Formulation(
            transform=self.name,
            title=title,
            original=original,
            queries=((original, *queries) if self.keep_original else tuple(queries)),
            combine={"dense": self.merge, "lexical": self.merge},
        )

    def _plan(self, query: str, history: Sequence[Turn]) -> Task:
        return Task("plan_hops", query, tuple(history), n=self.hops)

    def _bridge(self, query: str, history: Sequence[Turn]) -> Task:
        return Task("bridge", query, tuple(history), n=self.bridges)


def _quoted(written: str, text: str) -> str:
    """The part of a bridge query that is the document's own."""
    end = next((end for end in range(len(written), 0, -1) if written[:end] in text), 0)
    return written[:end].strip()
