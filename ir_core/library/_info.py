"""What is known of a corpus before it is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from ir_core.schema import Turn

Kind = Literal["sample", "upload", "folder", "environment"]


@dataclass(frozen=True, slots=True)
class Example:
    """A query to try: ``label`` says what it shows."""

    label: str
    query_id: str
    text: str
    history: tuple[Turn, ...] = ()


@dataclass(frozen=True, slots=True)
class CorpusInfo:
    """A corpus' description. ``default_strategy`` is a spec {name, params}, or None for the loaders' own choice;
    ``n_documents`` and ``language`` are None until somebody counted; ``bytes`` is what is kept of it here."""

    name: str
    title: str
    kind: Kind
    description: str = ""
    language: str | None = None
    default_strategy: Mapping[str, Any] | None = None
    filter_fields: tuple[str, ...] = ()
    n_documents: int | None = None
    bytes: int = 0
    examples: tuple[Example, ...] = ()
    path: Path | None = None
    licence: str = ""
    created: str = ""
    text_column: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
