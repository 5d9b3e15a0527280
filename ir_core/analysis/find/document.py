"""What can be said of a document before anything is searched: loaded, indexed, read by the embedder, let through."""

from __future__ import annotations

import difflib
import json
from collections.abc import Sequence
from pathlib import PurePosixPath

import numpy as np

from ir_core.analysis.find.types import Document, OwnSurface
from ir_core.index import Index
from ir_core.loaders import Loaded
from ir_core.protocols import Embedder
from ir_core.retrieval import SearchSettings
from ir_core.strategies import DFLT_CHUNK_MAX_TOKENS, Chunked

CLOSE = 5
_REBUILD = "Build the index again."


def identified(index: Index, asked: str, loaded: Loaded | None) -> Document:
    """Which document is meant: by its id, else by a title that only one has; else what is nearest."""
    name = asked.strip()
    if name in index.artifact_ids:
        return _in_index(index, asked, name)
    titled = [i for i, title in enumerate(index.titles) if title.casefold() == name.casefold()]
    if len(titled) == 1:
        return _in_index(index, asked, index.artifact_ids[titled[0]])
    known = {artifact.id: artifact.title for artifact in loaded.artifacts} if loaded else {}
    if name in known:
        reason = "is in the corpus, but not in this index: it was added after the index was built"
        return Document(asked, "not indexed", name, known[name], reason, changes=(_REBUILD,))
    for problem in loaded.problems if loaded else ():
        if name in problem.blank:
            reason = f"is empty after loading: its record in {problem.name} is blank and was left out"
            return Document(asked, "not loaded", None, name, reason, changes=(f"Give it a text. {_REBUILD}",))
        path = PurePosixPath(problem.name)
        if problem.lost and name in (problem.name, path.name, path.stem, str(path.with_suffix(""))):
            reason = f"could not be loaded: it {problem.reason}"
            return Document(asked, "not loaded", None, problem.name, reason, changes=(f"Mend the file. {_REBUILD}",))
    close = closest(name, index.artifact_ids, index.titles)
    listed = ", ".join(f"{one} ({title})" if title != one else one for one, title in close)
    change = (f"Did you mean {listed}?",) if close else ()
    what = f"no document of this corpus has the id or title {name!r}"
    if len(titled) > 1:
        what, change = f"{len(titled)} documents have the title {name!r}", (f"Give the id of one: {listed}.",)
    return Document(asked, "unknown", None, name, what, close, changes=change)


def closest(name: str, ids: Sequence[str], titles: Sequence[str], most: int = CLOSE) -> tuple[tuple[str, str], ...]:
    """(id, title) of the documents whose id or title comes nearest, those that contain the name first."""
    wanted = name.casefold()
    listed = list(zip(ids, titles, strict=True))
    inside = [pair for pair in listed if wanted and any(wanted in part.casefold() for part in pair)]
    lowered: dict[str, tuple[str, str]] = {}
    for pair in listed:
        lowered.setdefault(pair[1].casefold(), pair)
    lowered.update((pair[0].casefold(), pair) for pair in listed)
    near = [lowered[one] for one in difflib.get_close_matches(wanted, lowered, n=most, cutoff=0.5)]
    return tuple(dict.fromkeys([*inside[:most], *near]))[:most]


def _in_index(index: Index, asked: str, name: str) -> Document:
    number = index.artifact_ids.index(name)
    if (index.artifact_of == number).any():
        return Document(asked, "indexed", name, index.titles[number])
    strategy = str(index.manifest.strategy.get("name"))
    said = index.empty.get(name, "has no surface in this index, which was built before it was kept why")
    changes = (f"Give it text that the strategy {strategy} takes, or choose another strategy. {_REBUILD}",)
    return Document(asked, "empty", name, index.titles[number], said, changes=changes)


def own_surfaces(index: Index, embedder: Embedder, artifact: int, settings: SearchSettings) -> tuple[OwnSurface, ...]:
    """Its surfaces in row order, each with how far the embedder reads it."""
    rows = np.flatnonzero(index.artifact_of == artifact)
    kinds = index.allowed(None, settings.surfaces)
    found = [index.surfaces[int(row)] for row in rows]
    counts = embedder.token_counts([surface.text for surface in found])
    return tuple(
        OwnSurface(
            surface.id,
            surface.kind,
            len(surface.text),
            tokens,
            len(surface.text) if tokens <= embedder.max_tokens else read_to(surface.text, embedder),
            bool(kinds is None or kinds[row]),
        )
        for row, surface, tokens in zip(rows, found, counts, strict=True)
    )


def read_to(text: str, embedder: Embedder) -> int:
    """Characters of a text over the embedder's limit that it reads, to the end of a word."""
    ends = [at for at in range(1, len(text)) if text[at].isspace() and not text[at - 1].isspace()]
    low, high = 0, len(ends)
    while low < high:
        middle = (low + high) // 2
        if embedder.token_counts([text[: ends[middle]]])[0] <= embedder.max_tokens:
            low = middle + 1
        else:
            high = middle
    return ends[low - 1] if low else min(len(text), embedder.max_tokens)


def chunks(text: str, embedder: Embedder) -> tuple[list[str], int]:
    """The text as the strategy Chunked would cut it for this embedder, and the tokens of a chunk, at most."""
    tokens = min(DFLT_CHUNK_MAX_TOKENS, embedder.max_tokens)
    return [surface.text for surface in Chunked(max_tokens=tokens).decompose("", text).surfaces], tokens


def excluded_by(index: Index, artifact: int, settings: SearchSettings) -> tuple[str, ...]:
    """The parts of the filter this document does not pass, each with what the document has there."""
    row = int(np.flatnonzero(index.artifact_of == artifact)[0])
    found = []
    for name, condition in (settings.filter or {}).items():
        mask = index.allowed({name: condition})
        if mask is None or mask[row]:
            continue
        written = json.dumps({name: condition}, ensure_ascii=False, default=str)
        if name.startswith("$"):
            found.append(written)
            continue
        has = index.fields[artifact].get(name)
        own = f"it has {name} {json.dumps(has, ensure_ascii=False)}" if has is not None else f"it has no {name}"
        found.append(f"{written} ({own})")
    return tuple(found)
