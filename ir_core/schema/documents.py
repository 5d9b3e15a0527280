"""Documents, and what a strategy makes of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Raw = str | Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Artifact:
    """One document: its id is stable across loads; ``raw`` is the payload as it was read."""

    id: str
    raw: Raw
    metadata: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""

    @property
    def title(self) -> str:
        own = self.raw.get("title") or self.raw.get("name") if isinstance(self.raw, Mapping) else None
        return str(self.metadata.get("title") or own or self.id)


@dataclass(frozen=True, slots=True)
class Surface:
    """A text that stands for an artifact in the index. Never blank.

    ``metadata`` holds ``chunk_index`` (per kind), ``n_chunks`` and, where the text is a slice of the artifact's
    text, ``start`` and ``end`` in characters.
    """

    id: str
    artifact_id: str
    kind: str
    text: str
    granularity: str = "document"
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise ValueError(f"surface {self.id!r} is blank; a strategy leaves blank texts out")


def surface_id(artifact_id: str, kind: str, index: int) -> str:
    return f"{artifact_id}#{kind}#{index}"


@dataclass(frozen=True, slots=True)
class IndexPlan:
    """What one artifact puts into the index: fields to filter on (not embedded) and surfaces to search."""

    filter_fields: Mapping[str, Any]
    surfaces: tuple[Surface, ...]
