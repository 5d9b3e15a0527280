"""Vectors for every surface: from the store where they are, from the embedder where not, each text once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ir_core.errors import IndexProblem
from ir_core.index.contents import Contents
from ir_core.index.progress import Job
from ir_core.index.vectors import VectorStore
from ir_core.protocols import Embedder, Vectors

BATCH = 64
"""Texts embedded, kept and reported together: about a second's work for a small model on two cores."""
COUNT_BATCH = 1_000
TEXT_COST = 8
"""What a text costs beside its tokens, in tokens; only the estimate of the time left depends on it."""


def count_tokens(
    contents: Contents, embedder: Embedder, store: VectorStore, job: Job
) -> tuple[NDArray[np.int64], frozenset[str]]:
    """(n,) the tokens of every surface, and the keys of the texts that have no stored vector yet."""
    known = store.tokens(embedder.fingerprint, dict.fromkeys(contents.keys))
    missing = {
        key: surface.text for key, surface in zip(contents.keys, contents.surfaces, strict=True) if key not in known
    }
    stage = job.stage("Counting tokens", len(missing)) if missing else None
    counts = dict(known)
    listed = list(missing)
    for start in range(0, len(listed), COUNT_BATCH):
        keys = listed[start : start + COUNT_BATCH]
        counts.update(zip(keys, embedder.token_counts([missing[key] for key in keys]), strict=True))
        if stage:
            stage.report(start + len(keys))
    return np.array([counts[key] for key in contents.keys], dtype=np.int64), frozenset(missing)


def fill(
    contents: Contents, tokens: NDArray[np.int64], embedder: Embedder, store: VectorStore, job: Job, out: Vectors
) -> None:
    """Writes the vector of every surface into ``out`` (n, dim). Each batch is kept before the next begins.

    :raises Cancelled: between batches.
    :raises IndexProblem: when the embedder gives something else than finite vectors of its dimension.
    """
    rows: dict[str, list[int]] = {}
    for row, key in enumerate(contents.keys):
        rows.setdefault(key, []).append(row)
    missing = dict.fromkeys(rows)
    stage = job.stage("Reading stored vectors", len(rows))
    for keys, vectors in store.read(embedder.fingerprint, list(rows), embedder.dim):
        for key, vector in zip(keys, vectors, strict=True):
            out[rows[key]] = vector
            del missing[key]
        stage.report(len(rows) - len(missing))
    # Texts of like length together, longest first: a batch costs what its longest text costs.
    ordered = sorted(missing, key=lambda key: -tokens[rows[key][0]])
    cost = {key: min(int(tokens[rows[key][0]]), embedder.max_tokens) + TEXT_COST for key in ordered}
    if ordered:
        stage, spent = job.stage("Embedding", len(ordered), sum(cost.values())), 0
    for start in range(0, len(ordered), BATCH):
        batch = ordered[start : start + BATCH]
        vectors = _embed(embedder, [contents.surfaces[rows[key][0]].text for key in batch])
        store.write(embedder.fingerprint, batch, vectors, [int(tokens[rows[key][0]]) for key in batch])
        for key, vector in zip(batch, vectors, strict=True):
            out[rows[key]] = vector
        spent += sum(cost[key] for key in batch)
        stage.report(start + len(batch), spent)


def _embed(embedder: Embedder, texts: list[str]) -> Vectors:
    vectors = np.asarray(embedder.encode_document(texts), dtype=np.float32)
    if vectors.shape != (len(texts), embedder.dim) or not np.isfinite(vectors).all():
        raise IndexProblem(
            f"The embedder {embedder.name!r} gave an array of shape {vectors.shape} for {len(texts)} texts; expected "
            f"finite numbers of shape ({len(texts)}, {embedder.dim}). Choose another embedder and build again."
        )
    return vectors
