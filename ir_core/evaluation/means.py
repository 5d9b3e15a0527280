"""Means, percentiles and sums of figures of which some may be unknown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

N = TypeVar("N", int, float)


def mean(values: Sequence[float | None]) -> float | None:
    """None for no values, and as soon as one is unknown."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


def percentile(values: Sequence[float], percent: float) -> float | None:
    """Linear between ranks, numpy's default; None for no values."""
    import numpy as np

    return float(np.percentile(np.asarray(values, dtype=np.float64), percent)) if values else None


def total(values: Sequence[N | None]) -> N | int | None:
    """The sum (0 for nothing), or None as soon as one part is unknown."""
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None
