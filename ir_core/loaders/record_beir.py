"""A document of a BEIR collection (Thakur et al., NeurIPS 2021): _id, title, text; here also metadata and payload."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ir_core.loaders._base import Options, RecordKind
from ir_core.loaders._clean import clean_id, clean_metadata, is_blank
from ir_core.loaders._records import as_text
from ir_core.schema import Artifact


class BeirRecord(RecordKind):
    name = "beir"
    label = "BEIR document"
    summary = "Records with _id, title and text; metadata is filtered on, payload is handed to the strategy."
    order: ClassVar[int] = 20

    def claims(self, record: Mapping[str, Any]) -> bool:
        return "_id" in record and ("text" in record or isinstance(record.get("payload"), Mapping))

    def artifact(self, record: Mapping[str, Any], fallback_id: str, options: Options) -> Artifact | None:
        title, text = as_text(record.get("title")).strip(), as_text(record.get("text"))
        payload = record.get("payload")
        raw = {**payload} if isinstance(payload, Mapping) else {}
        if is_blank(title + text + "".join(map(as_text, raw.values()))):
            return None
        raw |= {key: value for key, value in (("title", title), ("text", text)) if value}
        given = record.get("metadata")
        metadata = clean_metadata(given, options.unfit) if isinstance(given, Mapping) else {}
        if title:
            metadata["title"] = title
        return Artifact(clean_id(record["_id"], fallback_id), raw, metadata)
