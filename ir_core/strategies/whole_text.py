"""One document, one surface."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from ir_core.params import param
from ir_core.schema import IndexPlan, Raw
from ir_core.strategies._payload import plain_fields, text_of
from ir_core.strategies._settings import check_settings, single


@dataclass(frozen=True, kw_only=True)
class WholeText:
    """The whole text as one surface, granularity ``document``; a blank text has none. Filter fields: the metadata."""

    name: ClassVar[str] = "WholeText"
    label: ClassVar[str] = "Whole text"
    summary: ClassVar[str] = "Each document is one surface. What lies beyond the embedder's limit is not read by it."
    reference: ClassVar[str] = ""
    order: ClassVar[int] = 1

    text_key: str | None = param(None, help="Field of a record that holds its text; empty finds it.", advanced=True)
    kind: str = param("document", help="What this kind of surface is called.", advanced=True)

    def __post_init__(self) -> None:
        check_settings(self)

    @property
    def kinds(self) -> tuple[str, ...]:
        return (self.kind,)

    def decompose(self, artifact_id: str, raw: Raw, metadata: Mapping[str, Any] | None = None) -> IndexPlan:
        """:raises BadInput: when a record has no field ``text_key``."""
        text = text_of(raw, self.text_key)
        if not text.strip():
            return IndexPlan(plain_fields(metadata), ())
        whole = single(artifact_id, self.kind, text, granularity="document")
        whole = replace(whole, metadata={**whole.metadata, "start": 0, "end": len(text)})
        return IndexPlan(plain_fields(metadata), (whole,))
