"""How long the surfaces are in the embedder's tokens, as a histogram that shows its limit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

BINS = 24
STEPS = (1, 2, 4, 5, 8, 10, 16, 20, 25, 32, 40, 50, 64, 100, 128, 200, 250, 256, 400, 500, 512, 1_000)


@dataclass(frozen=True, slots=True)
class Bin:
    """Surfaces of ``low`` to ``high`` tokens, both counted; ``high`` is None in the last where it is open."""

    low: int
    high: int | None
    surfaces: int


@dataclass(frozen=True, slots=True)
class Lengths:
    """In tokens. ``limit`` is what the embedder reads of a text, None for one without a limit; ``lost`` are all
    tokens beyond it, ``over`` the surfaces that have some."""

    bins: tuple[Bin, ...]
    limit: int | None
    shortest: int
    median: int
    most: int
    """95 of 100 surfaces are no longer."""
    longest: int
    total: int
    over: int
    lost: int


def lengths_of(tokens: NDArray[np.int64], limit: int | None) -> Lengths:
    """:param tokens: (n,) of every surface, n at least 1.

    Bins are equally wide; where the longest surfaces are far out, the last bin holds all that is beyond."""
    longest, most = int(tokens.max()), int(np.percentile(tokens, 95))
    shortest, middle = int(tokens.min()), int(np.median(tokens))
    reach = longest if longest - middle <= 4 * (most - middle + 1) else 2 * most - middle
    if limit is not None and reach < limit <= 2 * reach:
        reach = limit
    span = reach - shortest
    width = next((step for step in STEPS if step * BINS >= span), -(-span // BINS))
    start = shortest // width
    number = reach // width - start + 1
    counted = np.bincount(np.minimum(tokens // width - start, number), minlength=number + 1)
    bins = [Bin((start + i) * width, (start + i + 1) * width - 1, int(counted[i])) for i in range(number)]
    if counted[number]:
        bins.append(Bin((start + number) * width, None, int(counted[number])))
    beyond = np.maximum(tokens - limit, 0) if limit is not None else np.zeros_like(tokens)
    return Lengths(
        bins=tuple(bins),
        limit=limit,
        shortest=shortest,
        median=middle,
        most=most,
        longest=longest,
        total=int(tokens.sum()),
        over=int((beyond > 0).sum()),
        lost=int(beyond.sum()),
    )
