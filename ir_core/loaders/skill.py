"""A SKILL.md file: an agent's skill, found by its name and description."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from ir_core.loaders._base import FileFormat, Item, Options, Problem, RecordKind, SourceFile
from ir_core.loaders._clean import clean_id, clean_metadata, is_blank
from ir_core.loaders._decode import decode
from ir_core.loaders._records import ID_COLUMNS, as_text, pick
from ir_core.loaders.markdown import split_front_matter
from ir_core.schema import Artifact


class Skill(FileFormat, RecordKind):
    name = "skill"
    label = "Skill"
    summary = "A SKILL.md file, or a record with name, description and body; its parent is the folder above it."
    filenames = ("skill.md",)
    strategy: ClassVar[str | None] = "Skill"
    order: ClassVar[int] = 11

    def read(self, file: SourceFile, options: Options) -> Iterator[Item]:
        text, note = decode(file.data(options.max_file_bytes))
        values, body, fault = split_front_matter(text)
        own_folder = file.folder.rpartition("/")[2]
        record = {
            **clean_metadata(values, options.unfit),
            "name": as_text(values.get("name")).strip() or own_folder or file.base,
            "description": as_text(values.get("description")).strip(),
            "body": body,
            "parent": file.folder.rpartition("/")[0].rpartition("/")[2],
        }
        if not record["description"]:
            fault = fault or "has no description in its front matter; it can be found by its name only"
        for remark in (note, fault):
            if remark:
                yield Problem(file.name, remark, lost=False)
        artifact = self.artifact(record, file.folder or record["name"], options)
        yield artifact or Problem(file.name, "is blank and was left out; give it a name and a description")

    def claims(self, record: Mapping[str, Any]) -> bool:
        return all(key in record for key in ("name", "description", "body"))

    def artifact(self, record: Mapping[str, Any], fallback_id: str, options: Options) -> Artifact | None:
        raw = {**record} | {key: as_text(record.get(key)) for key in ("name", "description", "body", "parent")}
        if is_blank(raw["name"] + raw["description"]):
            return None
        id_column = pick(record, ID_COLUMNS)
        others = {key: value for key, value in raw.items() if key not in {"body", "description", id_column}}
        own_id = clean_id(record[id_column] if id_column else None, fallback_id)
        return Artifact(own_id, raw, {**clean_metadata(others, options.unfit), "title": raw["name"]})
