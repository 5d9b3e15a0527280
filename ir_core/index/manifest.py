"""What an index says about itself: how it was made, and what can be filtered on."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ir_core.config import BM25_B, BM25_K1
from ir_core.errors import IndexProblem
from ir_core.index.filters import is_date
from ir_core.params import checked, param, params_of
from ir_core.text import TOKENISER, TOKENISERS

FORMAT = 1
"""Layout of a build folder; part of the fingerprint. A changed layout needs a new number."""
FILE = "manifest.json"
SAMPLES = 20
REPAIR = "Build the index again."
"""How what is told of a damaged build ends."""


@dataclass(frozen=True)
class IndexSettings:
    """What of an index is neither the strategy's nor the embedder's. Changing one embeds nothing again.

    ``filter_fields`` names fields of the artifacts' metadata to filter on, beside those the strategy gives.
    """

    k1: float = param(
        BM25_K1, help="How soon repeating a word stops counting.", low=0, high=10, step=0.1, advanced=True
    )
    b: float = param(BM25_B, help="How much long texts are marked down.", low=0, high=1, step=0.05, advanced=True)
    tokeniser: str = param(TOKENISER, help="How texts are cut into words.", choices=tuple(TOKENISERS), advanced=True)
    idf: str = param(
        "okapi",
        help="How a rare word counts: as rank-bm25 has it, or as Lucene (log1p), never negative.",
        choices=("okapi", "log1p"),
        label="IDF",
        advanced=True,
    )
    filter_fields: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """:raises BadSetting: for a value out of range or not among the choices."""
        for setting in params_of(IndexSettings):
            checked(setting, getattr(self, setting.name))


@dataclass(frozen=True, slots=True)
class FieldInfo:
    """A field to filter on: ``type`` is text, date, number, flag, list or mixed; ``values`` are up to 20 of its
    commonest (of a list, its items); ``artifacts`` is how many have it."""

    type: str
    values: tuple[Any, ...]
    artifacts: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """``strategy`` is {"name", "params"}; ``kinds`` counts surfaces; ``over_limit`` counts those longer than the
    ``max_tokens`` the embedder reads; ``idf`` is okapi or log1p; ``vectors_id`` is equal for equal vectors in equal
    order; ``built_at`` is ISO 8601, UTC; ``sizes`` are the bytes of the folder's files and ``sums`` their CRC-32
    (an older build has none); ``notes`` is what the builder wants a person to know; ``chroma`` names the collection
    (``chroma_place.Held``) where the vectors are not here."""

    fingerprint: str
    corpus: str
    strategy: Mapping[str, Any]
    embedder: str
    embedder_fingerprint: str
    dim: int
    max_tokens: int
    tokeniser: str
    k1: float
    b: float
    idf: str
    n_artifacts: int
    n_surfaces: int
    kinds: Mapping[str, int]
    fields: Mapping[str, FieldInfo]
    filter_fields: tuple[str, ...]
    language: str | None
    over_limit: int
    built_at: str
    vectors_id: str
    sizes: Mapping[str, int] = field(default_factory=dict)
    sums: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    chroma: Mapping[str, str] | None = None
    format: int = FORMAT

    def write(self, folder: Path) -> None:
        data = json.dumps(asdict(self), ensure_ascii=False, indent=1)
        (folder / FILE).write_bytes(data.encode("utf-8", "surrogatepass"))

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """:raises IndexProblem: when it is missing, unreadable or of another version, or a file is not as it was."""
        try:
            facts = json.loads((folder / FILE).read_bytes().decode("utf-8", "surrogatepass"))
            if facts["format"] != FORMAT or facts["tokeniser"] not in TOKENISERS:
                raise IndexProblem(f"The index {folder.name} was made by another version of Query Prism. {REPAIR}")
            facts["fields"] = {
                name: FieldInfo(about["type"], tuple(about["values"]), about["artifacts"])
                for name, about in facts["fields"].items()
            }
            for name in ("filter_fields", "notes"):
                facts[name] = tuple(facts[name])
            manifest = cls(**facts)
            for name, size in manifest.sizes.items():
                found = (folder / name).stat().st_size
                if found != size:
                    raise ValueError(f"{name} has {found} bytes, it had {size}")
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise damaged(folder, error) from error
        return manifest


def written_at(folder: Path) -> int | None:
    """When the manifest was written, in nanoseconds; None where it is missing."""
    try:
        return (folder / FILE).stat().st_mtime_ns
    except OSError:
        return None


def damaged(folder: Path, error: Exception) -> IndexProblem:
    reason = f"{type(error).__name__}: {error}" if isinstance(error, KeyError) else str(error)
    return IndexProblem(f"The index {folder.name} is damaged ({reason}). {REPAIR}")


def describe(fields: Iterable[Mapping[str, Any]]) -> dict[str, FieldInfo]:
    """What filter fields there are in ``fields`` (one mapping per artifact), by name."""
    types: dict[str, set[str]] = {}
    values: dict[str, Counter[Any]] = {}
    held: Counter[str] = Counter()
    for own in fields:
        for name, value in own.items():
            held[name] += 1
            types.setdefault(name, set()).add(_type(value))
            values.setdefault(name, Counter()).update(value if isinstance(value, list) else [value])
    return {
        name: FieldInfo(
            type=next(iter(types[name])) if len(types[name]) == 1 else "mixed",
            values=tuple(value for value, _ in values[name].most_common(SAMPLES)),
            artifacts=held[name],
        )
        for name in sorted(held)
    }


def _type(value: Any) -> str:
    if isinstance(value, bool):
        return "flag"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, list):
        return "list"
    return "date" if is_date(value) else "text"
