"""The same text in several documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ir_core.analysis.health._groups import groups_found
from ir_core.analysis.health._material import Material
from ir_core.analysis.health._types import Found


@dataclass(frozen=True)
class ExactDuplicates:
    """White space makes no difference. Within one document copies do no harm: a list holds a document once."""

    name: ClassVar[str] = "exact_duplicates"
    label: ClassVar[str] = "Exact duplicates"
    summary: ClassVar[str] = "Texts that stand word for word in several documents."
    reference: ClassVar[str] = ""
    effect: ClassVar[str] = (
        "One text takes several places of a list, which copy comes first is chance, and judgements that name one "
        "copy count the others as wrong."
    )
    change: ClassVar[str] = "Keep one document of each group in the source, and load it again."
    setting: ClassVar[str] = ""
    order: ClassVar[int] = 40

    def look(self, material: Material) -> Found | None:
        groups = [rows for rows in material.same_texts if len({material.document_of(row) for row in rows}) > 1]
        return groups_found(material, [(rows, "the same text") for rows in groups], "word for word the same")
