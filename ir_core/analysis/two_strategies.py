"""Two indexes of one corpus side by side: how many surfaces, how long, and how much of the text both hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ir_core.errors import IndexProblem
from ir_core.index import Index, Manifest, folders, open_index
from ir_core.schema import Artifact
from ir_core.strategies import text_of

Spans = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Side:
    """Lengths are in characters of the surfaces. ``covered`` are the source's characters (white space aside) that
    stand in some surface, None where surfaces do not say which part of the text they are; ``doubled`` those that
    stand in several."""

    n_surfaces: int
    n_documents: int
    kinds: Mapping[str, int]
    shortest: int
    median: int
    longest: int
    over_limit: int
    covered: int | None
    doubled: int | None


@dataclass(frozen=True, slots=True)
class Overlap:
    """``texts`` are the distinct texts both indexes hold, of ``either`` that at least one does. The rest is in
    characters of the source, white space aside, None where one side does not say which part of it a surface is:
    all of ``source``, those ``both`` hold, and what ``only`` the one or the other does."""

    texts: int
    either: int
    source: int | None
    both: int | None
    only: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class TwoStrategies:
    one: Side
    other: Side
    overlap: Overlap


def kept_builds(corpus: str, home: Path | None = None) -> list[Manifest]:
    """Of every build of the corpus on disk, the current one among them, the last built first. A damaged one is left
    out."""
    found: list[Manifest] = []
    for folder in folders.builds_of(folders.corpus_folder(corpus, home)):
        with suppress(IndexProblem):
            found.append(Manifest.read(folder))
    return sorted(found, key=lambda made: made.built_at, reverse=True)


def open_build(corpus: str, fingerprint: str, home: Path | None = None) -> Index | None:
    """One of them; None where it is gone.

    :raises IndexProblem: when it is damaged.
    """
    folder = folders.corpus_folder(corpus, home)
    known = {build.name for build in folders.builds_of(folder)}
    return open_index(folder / fingerprint) if fingerprint in known else None


def two_strategies(one: Index, other: Index, documents: Iterable[Artifact]) -> TwoStrategies:
    """:param documents: the corpus both were built from; a document that changed since counts as it is now."""
    source = {artifact.id: text_of(artifact.raw) for artifact in documents}
    spans = (_spans(one, source), _spans(other, source))
    texts = ({surface.text for surface in one.surfaces}, {surface.text for surface in other.surfaces})
    total = both = 0
    only, covered, doubled = [0, 0], [0, 0], [0, 0]
    for name, text in source.items():
        seen = np.fromiter((not char.isspace() for char in text), np.bool_, len(text))
        depth = [_depth(found[name], len(text)) if found is not None else None for found in spans]
        total += int(seen.sum())
        for side, counted in enumerate(depth):
            if counted is not None:
                covered[side] += int((seen & (counted > 0)).sum())
                doubled[side] += int((seen & (counted > 1)).sum())
        left, right = depth
        if left is not None and right is not None:
            both += int((seen & (left > 0) & (right > 0)).sum())
            only[0] += int((seen & (left > 0) & (right == 0)).sum())
            only[1] += int((seen & (left == 0) & (right > 0)).sum())
    known = [found is not None for found in spans]
    return TwoStrategies(
        _side(one, *((covered[0], doubled[0]) if known[0] else (None, None))),
        _side(other, *((covered[1], doubled[1]) if known[1] else (None, None))),
        Overlap(
            texts=len(texts[0] & texts[1]),
            either=len(texts[0] | texts[1]),
            source=total if all(known) else None,
            both=both if all(known) else None,
            only=(only[0], only[1]) if all(known) else None,
        ),
    )


def _spans(index: Index, source: Mapping[str, str]) -> dict[str, Spans] | None:
    """By document, which parts of its text are surfaces; None as soon as one surface is no part of it."""
    found: dict[str, Spans] = {name: [] for name in source}
    for surface in index.surfaces:
        text = source.get(surface.artifact_id)
        if text is None:
            continue  # gone since the index was built
        start, end = surface.metadata.get("start"), surface.metadata.get("end")
        if not isinstance(start, int) or not isinstance(end, int) or text[start:end] != surface.text:
            return None
        found[surface.artifact_id].append((start, end))
    return found


def _depth(spans: Spans, size: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """(size,) in how many spans each character stands."""
    steps = np.zeros(size + 1, dtype=np.int64)
    for start, end in spans:
        steps[start] += 1
        steps[end] -= 1
    return np.cumsum(steps)[:size]


def _side(index: Index, covered: int | None, doubled: int | None) -> Side:
    lengths = np.array([len(surface.text) for surface in index.surfaces])
    manifest = index.manifest
    return Side(
        n_surfaces=manifest.n_surfaces,
        n_documents=manifest.n_artifacts - len(index.empty),
        kinds=manifest.kinds,
        shortest=int(lengths.min()),
        median=int(np.median(lengths)),
        longest=int(lengths.max()),
        over_limit=manifest.over_limit,
        covered=covered,
        doubled=doubled,
    )
