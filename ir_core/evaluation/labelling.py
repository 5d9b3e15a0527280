"""How well labels are told: recall of each with its interval, their mean, and what was taken for what."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Z = 1.959964
"""95 % of a normal distribution lies within so many standard deviations."""


@dataclass(frozen=True, slots=True)
class Recall:
    """Of one label: ``low`` and ``high`` bound Wilson's 95 % interval; all three None with no query of it."""

    n: int
    right: int
    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Labelling:
    """``confusion`` counts (true label, given label); ``macro`` is the mean recall of the labels with queries."""

    recalls: Mapping[str, Recall]
    macro: float | None
    confusion: Mapping[tuple[str, str], int]
    n: int


def labelling(pairs: Sequence[tuple[str, str]], labels: Sequence[str]) -> Labelling:
    """:param pairs: true and given label, of each query; true ones that are not among ``labels`` are left out.
    :param labels: those whose recall counts; others may have been given."""
    kept = [(true, given) for true, given in pairs if true in labels]
    counts = Counter(kept)
    recalls = {}
    for label in labels:
        n = sum(count for (true, _), count in counts.items() if true == label)
        recalls[label] = _recall(counts[label, label], n)
    known = [one.value for one in recalls.values() if one.value is not None]
    return Labelling(recalls, sum(known) / len(known) if known else None, dict(counts), len(kept))


def wilson(right: int, n: int) -> tuple[float, float]:
    """The 95 % score interval of a share (Wilson, JASA 1927), which stays within [0, 1] and holds for few.

    :raises ValueError: for no observation.
    """
    if n < 1:
        raise ValueError("a share of nothing has no interval")
    share = right / n
    middle = (share + Z**2 / (2 * n)) / (1 + Z**2 / n)
    half = Z * math.sqrt(share * (1 - share) / n + Z**2 / (4 * n**2)) / (1 + Z**2 / n)
    return max(0.0, middle - half), min(1.0, middle + half)


def _recall(right: int, n: int) -> Recall:
    return Recall(n, right, right / n, *wilson(right, n)) if n else Recall(0, 0, None, None, None)
