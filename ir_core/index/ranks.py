"""The best rows of a list, in an order that does not depend on how they were found."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int64]
Scores = NDArray[np.float64]
Mask = NDArray[np.bool_]

TIE_DECIMALS = 6
"""Scores that agree to six places are equal: sums of floats differ further down from one machine to the next."""
NOTHING: tuple[Rows, Scores] = (np.empty(0, np.int64), np.empty(0, np.float64))


def best(rows: Rows, scores: Scores, n: int, order: NDArray[np.int32]) -> tuple[Rows, Scores]:
    """The ``n`` best rows with their scores, highest first, equal ones by surface id.

    :param rows: (m,) row numbers; ``scores`` (m,) belong to them.
    :param order: (all rows,) the place of each row when sorted by surface id.
    """
    if n <= 0 or not len(rows):
        return NOTHING
    if len(rows) > n:
        cut = np.partition(scores, len(scores) - n)[len(scores) - n]
        # Every score that may round to the same value as the last one stays in until ties are broken.
        keep = scores >= cut - 10.0**-TIE_DECIMALS
        rows, scores = rows[keep], scores[keep]
    ranked = np.lexsort((order[rows], -np.round(scores, TIE_DECIMALS)))[:n]
    return rows[ranked].astype(np.int64, copy=False), scores[ranked]
