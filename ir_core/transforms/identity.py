"""The query as it was typed: the baseline that everything else is compared with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ir_core.protocols import RunContext
from ir_core.schema import Formulation, Query, Turn
from ir_core.transforms._base import BaseTransform


@dataclass(frozen=True)
class Identity(BaseTransform):
    """One query, unchanged; no writer, no cost."""

    name: ClassVar[str] = "identity"
    label: ClassVar[str] = "Original"
    summary: ClassVar[str] = "Searches exactly what was typed. Every other column is compared with this one."
    aliases: ClassVar[tuple[str, ...]] = ("none", "original")
    order: ClassVar[int] = 0
    needs_writer: ClassVar[bool] = False

    def compose(self, original: Query, history: Sequence[Turn], context: RunContext) -> Formulation:
        return self.unchanged(original)
