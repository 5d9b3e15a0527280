"""A Python package as a record: name, description, readme, deps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ir_core.loaders._base import Options, RecordKind
from ir_core.loaders._clean import clean_id, clean_metadata, is_blank
from ir_core.loaders._records import ID_COLUMNS, as_text, pick
from ir_core.schema import Artifact


class PackageRecord(RecordKind):
    name = "package"
    label = "Python package"
    summary = "Records with a name and a readme or deps."
    strategy: ClassVar[str | None] = "Package"
    order: ClassVar[int] = 12

    def claims(self, record: Mapping[str, Any]) -> bool:
        return "name" in record and ("readme" in record or "deps" in record)

    def artifact(self, record: Mapping[str, Any], fallback_id: str, options: Options) -> Artifact | None:
        name = as_text(record["name"]).strip()
        raw = {**record, "name": name} | {key: as_text(record.get(key)) for key in ("description", "readme")}
        if is_blank(name + raw["description"] + raw["readme"]):
            return None
        id_column = pick(record, ID_COLUMNS)
        own_id = clean_id(record[id_column] if id_column else name, fallback_id)
        texts = {"description", "readme", "deps", id_column}
        metadata = clean_metadata({key: value for key, value in raw.items() if key not in texts}, options.unfit)
        return Artifact(own_id, raw, metadata | ({"title": name} if name else {}))
