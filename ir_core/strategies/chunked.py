"""Overlapping slices of a text, so that each fits what an embedder reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ir_core.params import param
from ir_core.schema import IndexPlan, Raw
from ir_core.strategies._payload import plain_fields, text_of
from ir_core.strategies._settings import Pieces


@dataclass(frozen=True, kw_only=True)
class Chunked(Pieces):
    """Slices of the text, granularity ``chunk``, cut at paragraphs, sentences or words where one ends near the limit.

    By characters, or by tokens of ``token_model`` when ``max_tokens`` is set; the overlap then keeps its share of
    the chunk. ``start`` and ``end`` of each surface point into ``text_of(raw, text_key)``. Filter fields: the
    metadata.

    :raises BadSetting: for an overlap that is not smaller than the chunk.
    """

    name: ClassVar[str] = "Chunked"
    label: ClassVar[str] = "Chunks"
    summary: ClassVar[str] = "Each document becomes overlapping pieces small enough for the embedder to read whole."
    reference: ClassVar[str] = "Callan 1994, passage-level evidence in document retrieval"
    order: ClassVar[int] = 2

    text_key: str | None = param(None, help="Field of a record that holds its text; empty finds it.", advanced=True)
    kind: str = param("chunk", help="What this kind of surface is called.", advanced=True)

    @property
    def kinds(self) -> tuple[str, ...]:
        return (self.kind,)

    def decompose(self, artifact_id: str, raw: Raw, metadata: Mapping[str, Any] | None = None) -> IndexPlan:
        """:raises BadInput: when a record has no field ``text_key``."""
        text = text_of(raw, self.text_key)
        return IndexPlan(plain_fields(metadata), tuple(self.chunks(artifact_id, self.kind, text)))
