"""Is it better than the original? The paired difference, its bootstrap interval, and who won how often.

Paired bootstrap over queries (Efron and Tibshirani 1993; for retrieval, Sakai, SIGIR 2006), percentile interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 9_999
SEED = 20_090_719
"""Fixed, so that the same scores always give the same interval."""
TIE = 1e-9
SMALL_N = 30
"""Below it the percentile interval is known to be too short, and only large differences show."""


@dataclass(frozen=True, slots=True)
class Difference:
    """``low`` and ``high`` bound the 95 % interval of the mean difference; None with fewer than two queries."""

    mean: float | None
    low: float | None
    high: float | None
    wins: int
    ties: int
    losses: int

    @property
    def n(self) -> int:
        return self.wins + self.ties + self.losses

    @property
    def is_evidence(self) -> bool:
        """True when the interval leaves out zero; otherwise there is no evidence of a difference."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


def paired(values: Sequence[float], baseline: Sequence[float]) -> Difference:
    """``values`` minus ``baseline``, query by query.

    :raises ValueError: when they are not of one length.
    """
    if len(values) != len(baseline):
        raise ValueError(f"{len(values)} values cannot be paired with {len(baseline)}")
    differences = np.asarray(values, dtype=np.float64) - np.asarray(baseline, dtype=np.float64)
    wins, losses = int((differences > TIE).sum()), int((differences < -TIE).sum())
    mean = float(differences.mean()) if len(differences) else None
    low, high = _interval(differences)
    return Difference(mean, low, high, wins, len(differences) - wins - losses, losses)


def _interval(differences: NDArray[np.float64]) -> tuple[float | None, float | None]:
    if len(differences) < 2:
        return None, None
    if np.ptp(differences) <= TIE:
        same = float(differences[0])
        return same, same
    from scipy.stats import bootstrap

    found = bootstrap(
        (differences,),
        np.mean,
        n_resamples=RESAMPLES,
        batch=500,
        method="percentile",
        rng=np.random.default_rng(SEED),
    ).confidence_interval
    return float(found.low), float(found.high)
