"""How far two rankings agree: Jaccard on the first k, and rank-biased overlap over all that was read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ir_core.errors import BadSetting
from ir_core.schema import SearchResult

DEFAULT_P = 0.9
"""The first ten places have 86 % of the weight (Webber et al., section 4.4)."""
Matrix = tuple[tuple[float | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Square and symmetric, in the order of the results, every value in [0, 1]. None where there is nothing to
    compare: neither ranking found anything, or one of them was never searched."""

    k: int
    p: float
    jaccard: Matrix
    rbo: Matrix
    depths: tuple[int, ...]


def agreement(results: Sequence[SearchResult], k: int, p: float = DEFAULT_P) -> Agreement:
    """Every pair of ``results``: Jaccard of the first ``k``, RBO of the whole fused lists, ``below`` included.

    :raises BadSetting: as :func:`rbo_ext`.
    """
    whole = [_ids(result) for result in results]
    cut = [ids and ids[:k] for ids in whole]
    return Agreement(
        k,
        p,
        _pairs(cut, jaccard),
        _pairs(whole, lambda one, other: rbo_ext(one, other, p)),
        tuple(len(ids or ()) for ids in whole),
    )


def jaccard(one: Sequence[str], other: Sequence[str]) -> float | None:
    """Shared ÷ all documents; the order does not count. None when both are empty."""
    both = set(one) | set(other)
    return len(set(one) & set(other)) / len(both) if both else None


def rbo_ext(one: Sequence[str], other: Sequence[str], p: float = DEFAULT_P) -> float | None:
    """Extrapolated rank-biased overlap of two rankings without ties or repeats, of any lengths: equation 32 of
    Webber, Moffat and Zobel, TOIS 28(4), 2010. Agreement at each depth d counts p to the d, and goes on beyond the
    shorter list as it was seen so far. None when both are empty; 0 when only one is.

    :param p: how likely a reader goes on to the next place; the expected depth is 1 / (1 - p).
    :raises BadSetting: unless 0 < p < 1.
    """
    if not 0 < p < 1:
        raise BadSetting(f"p = {p} of rank-biased overlap, but it lies between 0 and 1, both excluded. Choose 0.9.")
    short, long = sorted((one, other), key=len)
    if not short:
        return None if not long else 0.0
    overlaps = _overlaps(short, long)
    s, deepest = len(short), len(long)
    at_s, at_end = overlaps[s - 1], overlaps[-1]
    seen = sum(overlap / d * p**d for d, overlap in enumerate(overlaps, start=1))
    unseen = sum(at_s * (d - s) / (s * d) * p**d for d in range(s + 1, deepest + 1))
    value = (1 - p) / p * (seen + unseen) + ((at_end - at_s) / deepest + at_s / s) * p**deepest
    return min(1.0, max(0.0, value))  # sums of floats end a hair outside


def _overlaps(short: Sequence[str], long: Sequence[str]) -> list[int]:
    """How many documents the first d of both lists share, for d from 1 to the longer list's length."""
    first: set[str] = set()
    second: set[str] = set()
    shared, counts = 0, []
    for d, name in enumerate(long):
        first.add(name)
        shared += name in second
        if d < len(short):
            second.add(short[d])
            shared += short[d] in first
        counts.append(shared)
    return counts


def _ids(result: SearchResult) -> list[str] | None:
    if result.formulation.skip_reason:
        return None
    return [hit.artifact_id for hit in (*result.fused.hits, *result.below)]


def _pairs(
    lists: Sequence[Sequence[str] | None], measure: Callable[[Sequence[str], Sequence[str]], float | None]
) -> Matrix:
    upper = {
        (i, j): None if one is None or other is None else measure(one, other)
        for i, one in enumerate(lists)
        for j, other in enumerate(lists)
        if i <= j
    }
    size = range(len(lists))
    return tuple(tuple(upper[min(i, j), max(i, j)] for j in size) for i in size)
