"""The map: stored vectors in two dimensions, by principal component analysis (Pearson, 1901; Hotelling, 1933).

Fitted once per index: the ground stays where it is, and only what a query makes is placed on it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ir_core.index import Index
from ir_core.protocols import Vectors

SAMPLE = 20_000
"""Surfaces fitted and drawn at most: of more the axes are the same to the eye, and a browser still draws so many."""
SEED = 0


@dataclass(frozen=True, eq=False, slots=True)
class Ground:
    """``mean`` (dim,) and ``axes`` (2, dim) place a vector; ``rows`` (n,) are the index's rows that were fitted,
    ``points`` (n, 2) their places and ``titles`` their documents'. ``explained`` is each axis' share of the
    variance, None where nothing varies. ``n_surfaces`` is how many there are in all."""

    fingerprint: str
    mean: NDArray[np.float64]
    axes: NDArray[np.float64]
    rows: NDArray[np.int64]
    points: NDArray[np.float32]
    titles: tuple[str, ...]
    explained: tuple[float, float] | None
    n_surfaces: int

    @property
    def is_sampled(self) -> bool:
        return len(self.rows) < self.n_surfaces

    def place(self, vectors: Vectors) -> NDArray[np.float32]:
        """(n, 2) places of vectors (n, dim)."""
        placed = (np.asarray(vectors, dtype=np.float64).reshape(-1, len(self.mean)) - self.mean) @ self.axes.T
        return placed.astype(np.float32)


def fit(index: Index, sample: int = SAMPLE) -> Ground:
    """Axes of the surfaces' vectors, of ``sample`` of them drawn with a fixed seed where there are more.

    Signs are fixed (each axis' largest part is positive), so that a map does not come out mirrored next time.
    """
    rows = np.arange(index.n, dtype=np.int64)
    if index.n > sample:
        rows = np.sort(np.random.default_rng(SEED).choice(rows, sample, replace=False))
    vectors = np.asarray(index.vectors(rows), dtype=np.float64)
    mean = vectors.mean(axis=0) if len(rows) else np.zeros(index.manifest.dim)
    centred = vectors - mean
    # of the covariance (dim, dim), not of the vectors (n, dim): a tenth of the time at 20,000
    values, columns = np.linalg.eigh(centred.T @ centred / max(1, len(rows)))
    axes = np.zeros((2, len(mean)))
    axes[: min(2, len(mean))] = columns[:, ::-1][:, :2].T
    axes *= np.where(axes[np.arange(2), np.abs(axes).argmax(axis=1)] < 0, -1.0, 1.0)[:, None]
    total = float(values.sum())
    shares = [max(0.0, float(value)) / total for value in values[::-1][:2]] if total > 1e-12 else []
    titles = tuple(index.titles[int(index.artifact_of[row])] for row in rows)
    return Ground(
        index.manifest.fingerprint,
        mean,
        axes,
        rows,
        (centred @ axes.T).astype(np.float32),
        titles,
        (shares[0], shares[1] if len(shares) > 1 else 0.0) if shares else None,
        index.n,
    )
