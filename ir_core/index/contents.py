"""What goes into an index, before anything is embedded: the artifacts' surfaces and filter fields."""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ir_core.errors import BadSource
from ir_core.index.manifest import FORMAT, IndexSettings
from ir_core.index.progress import Job
from ir_core.protocols import IndexingStrategy
from ir_core.schema import Artifact, Surface
from ir_core.text import sha256

REPORT_EVERY = 200


@dataclass(frozen=True)
class Contents:
    """``surfaces`` in row order with the SHA-256 of their texts in ``keys``; the rest is per artifact, and
    ``artifact_of`` (n,) leads from one to the other. ``empty`` says by artifact id why it has no surface."""

    surfaces: tuple[Surface, ...]
    keys: tuple[str, ...]
    artifact_of: NDArray[np.int32]
    artifact_ids: tuple[str, ...]
    titles: tuple[str, ...]
    fields: tuple[dict[str, Any], ...]
    empty: Mapping[str, str] = field(default_factory=dict)

    def vectors_id(self, embedder_fingerprint: str) -> str:
        """Equal for equal texts in the same order, read by the same embedder: their dense parts are the same."""
        return _digest([embedder_fingerprint, *self.keys])

    def fingerprint(self, strategy_id: str, embedder_fingerprint: str, settings: IndexSettings) -> str:
        """Equal for indexes that answer every query alike."""
        parts: list[Any] = [FORMAT, settings.tokeniser, settings.idf, settings.k1, settings.b]
        parts += [strategy_id, embedder_fingerprint]
        parts += zip(self.artifact_ids, self.titles, self.fields, strict=True)
        parts += [(s.id, s.artifact_id, s.kind, s.text, s.granularity, dict(s.metadata)) for s in self.surfaces]
        return _digest(parts)


def read(
    artifacts: Iterable[Artifact], strategy: IndexingStrategy, filter_fields: Sequence[str], job: Job
) -> Contents:
    """Decomposes every artifact.

    :raises BadSource: when two artifacts, or two surfaces, have the same id; names them.
    """
    everything = list(artifacts)
    _refuse_repeated("documents", (artifact.id for artifact in everything))
    stage = job.stage("Reading", len(everything))
    surfaces: list[Surface] = []
    artifact_of: list[int] = []
    fields: list[dict[str, Any]] = []
    empty: dict[str, str] = {}
    for number, artifact in enumerate(everything):
        plan = strategy.decompose(artifact.id, artifact.raw, artifact.metadata)
        named = {name: artifact.metadata[name] for name in filter_fields if name in artifact.metadata}
        fields.append(plain_fields({**named, **plan.filter_fields}))
        surfaces += plan.surfaces
        artifact_of += [number] * len(plan.surfaces)
        if not plan.surfaces:
            empty[artifact.id] = _why_empty(artifact)
        if (number + 1) % REPORT_EVERY == 0 or number + 1 == len(everything):
            stage.report(number + 1)
    _refuse_repeated("surfaces", (surface.id for surface in surfaces))
    return Contents(
        surfaces=tuple(surfaces),
        keys=tuple(sha256(surface.text) for surface in surfaces),
        artifact_of=np.array(artifact_of, dtype=np.int32),
        artifact_ids=tuple(artifact.id for artifact in everything),
        titles=tuple(artifact.title for artifact in everything),
        fields=tuple(fields),
        empty=empty,
    )


def _why_empty(artifact: Artifact) -> str:
    """Reads on from the document's name."""
    raw = artifact.raw
    if isinstance(raw, str):
        if raw.strip():
            return f"has {len(raw):,} characters of text, none of which the strategy takes"
        return "is empty after loading: its text is blank"
    held = [str(name) for name, value in raw.items() if isinstance(value, str | list | tuple) and str(value).strip()]
    if not held:
        return "is empty after loading: none of its fields holds a text"
    return f"has text in {', '.join(held[:6])}, none of which the strategy takes"


def plain_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Fields as a filter compares them and JSON keeps them; None and not-a-number mean that the field is missing."""
    plain = ((str(name), _plain(value)) for name, value in fields.items())
    return {name: value for name, value in plain if value is not None}


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False, default=str)
    if isinstance(value, set | frozenset):
        value = sorted(value, key=str)
    if isinstance(value, Iterable):
        return [item for item in map(_plain, value) if item is not None]
    return str(value)


def _refuse_repeated(what: str, ids: Iterable[str]) -> None:
    repeated = [name for name, count in Counter(ids).items() if count > 1]
    if repeated:
        listed = ", ".join(map(repr, repeated[:5])) + (f" and {len(repeated) - 5} more" if len(repeated) > 5 else "")
        raise BadSource(f"Several {what} have the same id: {listed}. Give each its own and build again.")


def _digest(parts: Iterable[Any]) -> str:
    written = hashlib.sha256()
    for part in parts:
        line = json.dumps(part, ensure_ascii=False, sort_keys=True, default=str)
        written.update(line.encode("utf-8", "surrogatepass") + b"\n")
    return written.hexdigest()[:20]
