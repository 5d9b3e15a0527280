"""Query translation (Nie, Cross-Language Information Retrieval, 2010): the query in the language of the corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from ir_core.language import name_of, of_query
from ir_core.protocols import RunContext
from ir_core.schema import Formulation, Query, Turn
from ir_core.transforms._base import BaseTransform, same_text


@dataclass(frozen=True)
class Translate(BaseTransform):
    """Replaces the query, in every leg: words of another language find nothing by BM25. Asks nobody where the query
    is in the corpus' language already."""

    name: ClassVar[str] = "translate"
    label: ClassVar[str] = "Translate"
    summary: ClassVar[str] = "Puts a query of another language into the language of the corpus."
    reference: ClassVar[str] = "Nie, Cross-Language Information Retrieval, Morgan and Claypool 2010"
    aliases: ClassVar[tuple[str, ...]] = ("translation",)
    order: ClassVar[int] = 9

    @property
    def most_texts(self) -> int:
        return 1

    def compose(self, original: Query, history: Sequence[Turn], context: RunContext) -> Formulation:
        context.check()
        language = context.corpus_language
        if language is None:
            return self.unchanged(
                original, "The language of the corpus is not known, so there is none to put it into."
            )
        spoken = of_query(original.text, language)
        if spoken == language:
            return self.unchanged(original, f"It is in {name_of(language)} already, the language of the corpus.")
        first = context.write(replace(self.task(original.text, history), language=language))[0]
        title = self.title_of(context)
        if same_text(first.text, original.text):
            return self.unchanged(original, first.note or "The writer left the query as it was.", title=title)
        way = f"{f'{name_of(spoken)} to ' if spoken else 'to '}{name_of(language)}"
        return Formulation(
            transform=self.name,
            title=title,
            original=original,
            queries=(Query("translation", first.text, "translation", first.weight, parent=original.id),),
            notes=tuple(note for note in (way[0].upper() + way[1:], first.note) if note),
        )
