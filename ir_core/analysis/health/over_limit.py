"""Surfaces of which the embedder reads only the beginning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ir_core.analysis.health._material import Material
from ir_core.analysis.health._types import Example, Found, by_share, first, plural
from ir_core.text import quoted

SPARE = 6
"""Tokens to stay below the limit: two for [CLS] and [SEP], the rest for the drift of reading a slice on its own."""


@dataclass(frozen=True)
class OverLimit:
    name: ClassVar[str] = "over_limit"
    label: ClassVar[str] = "Longer than the embedder reads"
    summary: ClassVar[str] = "Surfaces with more tokens than the embedder reads of a text."
    reference: ClassVar[str] = ""
    effect: ClassVar[str] = (
        "What lies beyond the limit is not in the vector: a question about it can match by its words only."
    )
    change: ClassVar[str] = "Choose the strategy Chunked with max tokens below the limit, and build again."
    setting: ClassVar[str] = "strategy"
    order: ClassVar[int] = 30

    def look(self, material: Material) -> Found | None:
        limit = material.limit
        if limit is None:
            return None
        tokens = material.tokens
        lost = np.maximum(tokens - limit, 0)
        rows = [int(row) for row in np.argsort(-lost, kind="stable") if lost[row] > 0]
        if not rows:
            return None
        share = float(lost.sum()) / float(tokens.sum())
        manifest = material.index.manifest
        has = "has" if len(rows) == 1 else "have"
        return Found(
            severity=by_share(share, 0.02, 0.10),
            count=len(rows),
            said=(
                f"{plural(len(rows), 'surface')} of {len(tokens):,} ({len(rows) / len(tokens):.0%}) "
                f"{has} more than the {limit:,} tokens that {manifest.embedder} reads; "
                f"{int(lost.sum()):,} tokens, {share:.1%} of all, are lost."
            ),
            examples=first(
                Example(
                    (material.id_of(row),),
                    f"{int(tokens[row]):,} tokens, {int(lost[row]):,} of them lost",
                    quoted(material.texts[row], 200),
                )
                for row in rows
            ),
            rows=tuple(rows),
            documents=tuple(dict.fromkeys(material.document_of(row) for row in rows)),
            change=self._change(manifest.strategy["name"], limit),
        )

    @staticmethod
    def _change(strategy: str, limit: int) -> str:
        most = max(1, limit - SPARE)
        if strategy in {"Chunked", "Package"}:
            return f"Set max tokens of the strategy to {most} at most, and build again."
        return f"Choose the strategy Chunked with max tokens {most}, or an embedder that reads more, and build again."
