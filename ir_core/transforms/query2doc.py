"""query2doc (Wang et al., EMNLP 2023): the query and a passage that answers it, together in both legs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ir_core.errors import WriterError
from ir_core.params import param
from ir_core.protocols import RunContext
from ir_core.schema import Formulation, Query, Turn
from ir_core.transforms._base import BaseTransform, distinct, notes_of
from ir_core.transforms._expanding import COMBINE, DENSE, DENSE_HELP, REPEAT_HELP, expanded


@dataclass(frozen=True)
class Query2Doc(BaseTransform):
    """Unlike HyDE's, the passage changes BM25 too: the query five times and the passage once, as in the paper. There
    the dense leg reads "query [SEP] passage" with an encoder trained on such texts. With one that was not, the mean
    of both vectors did better on SciFact's tuning queries (dense nDCG@10 .694 to .686 with GPT-4.1's passages, .684
    to .666 with Qwen2.5-7B's); docs/expansion.md has the other half."""

    name: ClassVar[str] = "query2doc"
    label: ClassVar[str] = "query2doc"
    summary: ClassVar[str] = "Writes a passage that could answer, and searches query and passage in both legs."
    reference: ClassVar[str] = "Wang et al., Query2doc: Query Expansion with Large Language Models, EMNLP 2023"
    order: ClassVar[int] = 32

    repeat: int = param(5, label="Query repeated", low=1, high=20, help=REPEAT_HELP)
    dense: str = param("mean", label="Dense leg", choices=DENSE, help=DENSE_HELP)

    def compose(self, original: Query, history: Sequence[Turn], context: RunContext) -> Formulation:
        written = distinct(context.write(self.task(original.text, history)), original.text, 1)
        if not written:
            raise WriterError("The writer only repeated the query in place of a passage.")
        made = expanded(
            original, written[0].text, context.searcher.tokenise,
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
