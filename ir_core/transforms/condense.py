"""Condensing a follow-up (CANARD, Elgohary et al., EMNLP 2019): what was said before is written into the query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from ir_core.protocols import RunContext
from ir_core.schema import Formulation, Query, Task, Turn
from ir_core.transforms._base import BaseTransform, same_text
from ir_core.transforms._small_talk import is_small_talk

SMALL_TALK = "It is small talk and asks for nothing that a document could answer."
NO_HISTORY = "Nothing was said before it, so it is searched as it is."
ALONE = "It can be understood without what was said before."


@dataclass(frozen=True)
class Condense(BaseTransform):
    """Replaces the follow-up in every leg; with no conversation nobody is asked, and small talk is not searched."""

    name: ClassVar[str] = "condense"
    label: ClassVar[str] = "Condense"
    summary: ClassVar[str] = "Makes a follow-up a question that stands alone; small talk is not searched at all."
    reference: ClassVar[str] = (
        "Elgohary et al., Can You Unpack That? (CANARD), EMNLP 2019; Vakulenko et al., Question Rewriting for "
        "Conversational Question Answering, WSDM 2021"
    )
    aliases: ClassVar[tuple[str, ...]] = ("standalone", "contextualize")
    order: ClassVar[int] = 8

    def tasks(self, query: str, history: Sequence[Turn]) -> tuple[Task, ...]:
        return (self.task(query, history),) if _said(history) and not is_small_talk(query) else ()

    @property
    def most_texts(self) -> int:
        return 1

    def compose(self, original: Query, history: Sequence[Turn], context: RunContext) -> Formulation:
        context.check()
        if is_small_talk(original.text):
            return replace(self.unchanged(original), skip_reason=SMALL_TALK)
        if not _said(history):
            return self.unchanged(original, NO_HISTORY)
        first = context.write(self.task(original.text, history))[0]
        title = self.title_of(context)
        if same_text(first.text, original.text):
            return self.unchanged(original, first.note or ALONE, title=title)
        condensed = Query(
            "condensed", first.text, "condensed", first.weight, parent=original.id, term_weights=first.terms
        )
        return Formulation(
            transform=self.name,
            title=title,
            original=original,
            queries=(condensed,),
            notes=(first.note,) if first.note else (),
        )


def _said(history: Sequence[Turn]) -> bool:
    return any(turn.get("content", "").strip() for turn in history)
