"""A follow-up searched together with what was asked before: the baseline beside the last turn alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ir_core.params import param
from ir_core.protocols import RunContext
from ir_core.schema import Formulation, Query, Turn
from ir_core.transforms._base import BaseTransform


@dataclass(frozen=True)
class JoinedTurns(BaseTransform):
    """The user's turns and the query as one text; no writer, no cost. What it drags along often costs more than the
    references it resolves."""

    name: ClassVar[str] = "joined_turns"
    label: ClassVar[str] = "Joined turns"
    summary: ClassVar[str] = "Searches the user's earlier turns and the query as one text, for follow-ups."
    reference: ClassVar[str] = "The usual baseline of conversational search, as in TREC CAsT (Dalton et al., 2020)"
    order: ClassVar[int] = 5
    needs_writer: ClassVar[bool] = False

    turns: int = param(3, label="Earlier turns", low=1, high=20, help="How many of the user's last turns to join.")

    def compose(self, original: Query, history: Sequence[Turn], context: RunContext) -> Formulation:
        asked = [turn["content"].strip() for turn in history if turn.get("role") == "user"]
        before = [text for text in asked if text][-self.turns :]
        if not before:
            return self.unchanged(original, "There are no earlier turns to join.")
        joined = Query("joined", " ".join([*before, original.text]), "joined", parent=original.id)
        return Formulation(
            transform=self.name, title=self.label, original=original, queries=(joined,), saw_history=True
        )
