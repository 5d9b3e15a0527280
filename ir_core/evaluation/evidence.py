"""What may be said of several transforms against the original, on one measure named before the run.

Paired randomisation test (Fisher 1935; for retrieval, Smucker, Allan and Carterette, CIKM 2007), p-values corrected
over the transforms by Holm (1979); bootstrap intervals at the corrected level. Queries that share a conversation or
documents are flipped and drawn together (Field and Welsh 2007, on the cluster bootstrap).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ir_core.evaluation.intervals import RESAMPLES, SEED, SMALL_N, TIE

ALPHA = 0.05
EQUIVALENT = 0.01
"""Differences of a measure this small are called none."""
Verdict = Literal["better", "worse", "equivalent", "no evidence"]
WORDS: Mapping[Verdict, str] = {
    "better": "significantly better",
    "worse": "significantly worse",
    "equivalent": f"equivalent within ±{EQUIVALENT:g}",
    "no evidence": "no evidence of a difference",
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """One transform against the original. ``p_holm`` alone decides the word "significant"; ``low`` and ``high`` bound
    the interval at ``level`` (1 - alpha / number of transforms); None where there are fewer than two groups."""

    mean: float | None
    p: float | None
    p_holm: float | None
    low: float | None
    high: float | None
    level: float
    n: int
    n_groups: int
    verdict: Verdict

    @property
    def is_small(self) -> bool:
        """Few independent groups: only large differences can show, and the interval is too short."""
        return self.n_groups < SMALL_N


def evidence(
    differences: Mapping[str, Sequence[float]],
    groups: Mapping[str, Sequence[int]] | None = None,
    *,
    alpha: float = ALPHA,
    resamples: int = RESAMPLES,
) -> dict[str, Evidence]:
    """By transform.

    :param differences: the transform's value minus the original's, by query.
    :param groups: the group of each of those queries, by transform; every query its own where there are none.
    :raises ValueError: when differences and groups are not of one length.
    """
    level = 1 - alpha / max(1, len(differences))
    summed = {name: _sums(values, (groups or {}).get(name)) for name, values in differences.items()}
    p_values = {name: randomisation(sums, resamples) for name, (sums, _) in summed.items()}
    corrected = holm(p_values)
    found = {}
    for name, (sums, sizes) in summed.items():
        n = int(sizes.sum())
        mean = float(sums.sum() / n) if n else None
        low, high = _interval(sums, sizes, level, resamples)
        found[name] = Evidence(
            mean, p_values[name], corrected[name], low, high, level, n, len(sums),
            _verdict(mean, corrected[name], low, high, alpha, len(sums)),
        )  # fmt: skip
    return found


def randomisation(sums: NDArray[np.float64], resamples: int = RESAMPLES) -> float | None:
    """Two-sided p of the sum under random signs; exact where all signs can be tried, else by ``resamples`` draws."""
    if len(sums) < 2:
        return None
    if np.abs(sums).max() <= TIE:
        return 1.0
    from scipy.stats import permutation_test

    moved = sums[np.abs(sums) > TIE]  # a tie has no sign to flip
    if len(moved) < 2:
        return 1.0

    def total(one: NDArray[np.float64], other: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
        found: NDArray[np.float64] = np.sum(one - other, axis=axis)
        return found

    result = permutation_test(
        (moved, np.zeros_like(moved)), total, permutation_type="samples", vectorized=True, n_resamples=resamples,
        batch=500, rng=np.random.default_rng(SEED),
    )  # fmt: skip
    return float(result.pvalue)


def holm(p_values: Mapping[str, float | None]) -> dict[str, float | None]:
    """Adjusted p-values of the step-down procedure (Holm 1979). None stays None, and still counts as a comparison."""
    known = sorted((p, name) for name, p in p_values.items() if p is not None)
    adjusted: dict[str, float | None] = dict.fromkeys(p_values)
    worst = 0.0
    for step, (p, name) in enumerate(known):
        worst = max(worst, min(1.0, (len(p_values) - step) * p))
        adjusted[name] = worst
    return adjusted


def _sums(values: Sequence[float], groups: Sequence[int] | None) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The sum and the number of queries of each group."""
    given = np.asarray(values, dtype=np.float64)
    if groups is None:
        return given, np.ones(len(given))
    if len(groups) != len(given):
        raise ValueError(f"{len(given)} differences cannot have {len(groups)} groups")
    _, numbers = np.unique(np.asarray(groups, dtype=np.int64), return_inverse=True)
    return np.bincount(numbers, weights=given).astype(np.float64), np.bincount(numbers).astype(np.float64)


def _interval(
    sums: NDArray[np.float64], sizes: NDArray[np.float64], level: float, resamples: int
) -> tuple[float | None, float | None]:
    if len(sums) < 2:
        return None, None
    means = sums / sizes
    if np.ptp(means) <= TIE:
        return float(means[0]), float(means[0])
    from scipy.stats import bootstrap

    def ratio(one: NDArray[np.float64], size: NDArray[np.float64], axis: int = -1) -> NDArray[np.float64]:
        found: NDArray[np.float64] = np.sum(one, axis=axis) / np.sum(size, axis=axis)
        return found

    interval = bootstrap(
        (sums, sizes), ratio, paired=True, vectorized=True, confidence_level=level, n_resamples=resamples, batch=500,
        method="percentile", rng=np.random.default_rng(SEED),
    ).confidence_interval  # fmt: skip
    return float(interval.low), float(interval.high)


def _verdict(
    mean: float | None, p: float | None, low: float | None, high: float | None, alpha: float, n_groups: int
) -> Verdict:
    """Of few groups nothing is called equivalent: two ties have an interval of no width, and show nothing."""
    if mean is not None and p is not None and p <= alpha:
        return "better" if mean > 0 else "worse"
    if n_groups >= SMALL_N and low is not None and high is not None and low >= -EQUIVALENT and high <= EQUIVALENT:
        return "equivalent"
    return "no evidence"
