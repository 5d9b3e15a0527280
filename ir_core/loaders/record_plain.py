"""A record of no special kind: one column holds the text, the others can be filtered on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ir_core.errors import NeedsColumn
from ir_core.loaders._base import Options, RecordKind
from ir_core.loaders._clean import clean_id, clean_metadata, is_blank
from ir_core.loaders._records import ID_COLUMNS, TEXT_COLUMNS, TITLE_COLUMNS, as_text, pick
from ir_core.schema import Artifact


class PlainRecord(RecordKind):
    name = "record"
    label = "Record"
    summary = "Id, title and text are found by their usual names; every other short field can be filtered on."
    order: ClassVar[int] = 900

    def claims(self, record: Mapping[str, Any]) -> bool:
        return True

    def artifact(self, record: Mapping[str, Any], fallback_id: str, options: Options) -> Artifact | None:
        wanted = options.text_column
        text_column = wanted if wanted in record else pick(record, TEXT_COLUMNS)
        if text_column is None:
            raise NeedsColumn("record", tuple(record))
        others = {key: value for key, value in record.items() if key != text_column}
        id_column, title_column = pick(others, ID_COLUMNS), pick(others, TITLE_COLUMNS)
        text = as_text(record[text_column])
        title = as_text(others[title_column]).strip() if title_column else ""
        if is_blank(title + text):
            return None
        raw = {**record, "text": text} | ({"title": title} if title else {})
        nested = record.get("metadata")
        metadata = clean_metadata(nested, options.unfit) if isinstance(nested, Mapping) else {}
        known = {id_column, title_column, "metadata"} if isinstance(nested, Mapping) else {id_column, title_column}
        metadata |= clean_metadata({key: value for key, value in others.items() if key not in known}, options.unfit)
        if title_column and title_column != id_column:
            metadata |= clean_metadata({title_column: others[title_column]})
        if title:
            metadata["title"] = title
        own_id = clean_id(record[id_column], fallback_id) if id_column else fallback_id
        return Artifact(own_id, raw, metadata)
