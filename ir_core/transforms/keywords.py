"""Keyword expansion (Jagerman et al., 2023; GenQR, Wang et al., 2023): words that relevant documents would hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ir_core.errors import WriterError
from ir_core.params import param
from ir_core.protocols import RunContext
from ir_core.schema import Formulation, Query, Task, Turn
from ir_core.transforms._base import BaseTransform, distinct, notes_of
from ir_core.transforms._expanding import COMBINE, DENSE, DENSE_HELP, REPEAT_HELP, expanded


@dataclass(frozen=True)
class Keywords(BaseTransform):
    """Terms, not sentences, in the corpus' main language: what BM25 misses is mostly another word for the same."""

    name: ClassVar[str] = "keywords"
    label: ClassVar[str] = "Keyword expansion"
    summary: ClassVar[str] = "Adds the terms that a document with the answer would use."
    reference: ClassVar[str] = "Jagerman et al., Query Expansion by Prompting Large Language Models, 2023"
    aliases: ClassVar[tuple[str, ...]] = ("keyword_expansion", "genqr")
    order: ClassVar[int] = 34

    n: int = param(10, label="Terms", low=1, high=30, help="How many terms to ask for.")
    repeat: int = param(5, label="Query repeated", low=1, high=20, help=REPEAT_HELP)
    dense: str = param("mean", label="Dense leg", choices=DENSE, help=DENSE_HELP)

    def task(self, query: str, history: Sequence[Turn]) -> Task:
        return Task(self.name, query, tuple(history), n=self.n)

    @property
    def most_texts(self) -> int:
        """The original's: what is added to it is no query of its own."""
        return 1

    def compose(self, original: Query, history: Sequence[Turn], context: RunContext) -> Formulation:
        written = distinct(context.write(self.task(original.text, history)), original.text, self.n)
        if not written:
            raise WriterError("The writer gave no term beyond the query.")
        made = expanded(
            original, ", ".join(text.text for text in written), context.searcher.tokenise,
            repeat=self.repeat, dense=self.dense, weight=written[0].weight,
        )  # fmt: skip
        return Formulation(
            transform=self.name,
            title=self.title_of(context),
            original=original,
            queries=made.queries,
            combine=COMBINE,
            notes=(made.note, *notes_of(written)),
        )
