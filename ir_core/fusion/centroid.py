"""One vector for several: the weighted mean, as HyDE (Gao et al., ACL 2023) and Rocchio (1971) have it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Centroid:
    """The members' vectors are averaged before the search, so there is one list and nothing left to join."""

    name: ClassVar[str] = "centroid"
    label: ClassVar[str] = "Mean vector"
    summary: ClassVar[str] = "The queries' vectors are averaged by weight and searched once."
    reference: ClassVar[str] = "Gao et al., ACL 2023; Rocchio, 1971"

    def mean(self, vectors: Sequence[NDArray[np.float32]], weights: Sequence[float]) -> NDArray[np.float32]:
        """(dim,) unit vector: the weighted mean, re-normalised. Weights that add up to nothing count as equal.

        Vectors that cancel out give the first one.
        """
        stacked = np.asarray(vectors, dtype=np.float64)
        given = np.asarray(weights, dtype=np.float64)
        if given.sum() <= 0:
            given = np.ones(len(stacked))
        mean = given @ stacked / given.sum()
        norm = float(np.linalg.norm(mean))
        return np.asarray(mean / norm if norm > 1e-9 else stacked[0], dtype=np.float32)
