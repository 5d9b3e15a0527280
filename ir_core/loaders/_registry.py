"""Which loader reads which file, and which strategy was made for what came out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from ir_core.errors import BadSource
from ir_core.loaders._base import FileFormat, RecordKind, SourceFile
from ir_core.registry import Registry
from ir_core.schema import Artifact

LOADERS: Registry[FileFormat | RecordKind] = Registry("ir_core.loaders", "file format")


@cache
def formats() -> tuple[FileFormat, ...]:
    """Every file format, ready to read."""
    return tuple(item() for item in LOADERS if issubclass(item, FileFormat))


@cache
def kinds() -> tuple[RecordKind, ...]:
    """Every record kind, the choosy ones first."""
    return tuple(item() for item in LOADERS if issubclass(item, RecordKind))


def suffixes() -> tuple[str, ...]:
    """The endings of files that can be read, for a page's upload field and for messages."""
    return tuple(sorted({suffix for item in formats() for suffix in item.suffixes if suffix}))


def format_for(file: SourceFile) -> FileFormat:
    """:raises BadSource: when no loader reads such files."""
    for item in formats():
        if file.kind in item.filenames:
            return item
    for item in formats():
        if file.suffix in item.suffixes:
            return item
    raise BadSource(f"is a {file.suffix} file; those that can be read are {', '.join(suffixes())}")


def strategy_for(artifacts: Iterable[Artifact]) -> str | None:
    """The one strategy made for all of these documents, or None."""
    found = {_strategy(item.raw) if isinstance(item.raw, Mapping) else None for item in artifacts}
    return found.pop() if len(found) == 1 else None


def _strategy(record: Mapping[str, object]) -> str | None:
    return next((kind.strategy for kind in kinds() if kind.claims(record)), None)
