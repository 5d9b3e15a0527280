"""A capability is found by what it says it does, not by its manual."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ir_core.schema import IndexPlan, Raw
from ir_core.strategies._payload import as_text, front_matter, plain_fields
from ir_core.strategies._settings import single


@dataclass(frozen=True, kw_only=True)
class Skill:
    """Name and description of a skill as one surface, kind ``capability``; its body is not indexed.

    ``raw`` is a record {name, description, body, parent}, or the text of a SKILL.md with front matter. A skill
    without a name goes by the artifact's id. Filter fields: name, parent, and the metadata.
    """

    name: ClassVar[str] = "Skill"
    label: ClassVar[str] = "Skill"
    summary: ClassVar[str] = "A skill is found by its name and description; its instructions stay out of the index."
    reference: ClassVar[str] = "Agent Skills, SKILL.md format"
    order: ClassVar[int] = 3

    @property
    def kinds(self) -> tuple[str, ...]:
        return ("capability",)

    def decompose(self, artifact_id: str, raw: Raw, metadata: Mapping[str, Any] | None = None) -> IndexPlan:
        record = front_matter(raw)[0] if isinstance(raw, str) else raw
        name = as_text(record.get("name")).strip() or artifact_id
        description = as_text(record.get("description")).strip()
        text = f"{name}\n\n{description}".strip()
        fields = plain_fields({**(metadata or {}), "name": name, "parent": record.get("parent")})
        return IndexPlan(fields, (single(artifact_id, "capability", text),))
