"""What writing took now, and what it took the first time where texts come from a cache or a recording."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ir_core.schema import Call
from pages._ui import numbers


@dataclass(frozen=True, slots=True)
class Spent:
    """None is unknown. ``seconds`` is the longest call's: those of one transform run side by side."""

    seconds: float | None
    cost_usd: float | None
    tokens: int | None


def now(calls: Sequence[Call]) -> Spent:
    """Of the calls that were made; reading a kept text costs nothing."""
    made = [call for call in calls if not call.cached]
    return _spent(made, [call.seconds for call in made])


def first(calls: Sequence[Call]) -> Spent | None:
    """Of the calls whose texts were kept from an earlier time; None where there are none."""
    kept = [call for call in calls if call.cached]
    return _spent(kept, [call.first_s for call in kept]) if kept else None


def _spent(calls: Sequence[Call], seconds: Sequence[float | None]) -> Spent:
    known = [value for value in seconds if value is not None]
    tokens = numbers.total([*(call.tokens_in for call in calls), *(call.tokens_out for call in calls)])
    return Spent(
        seconds=None if len(known) < len(seconds) else max(known, default=0.0),
        cost_usd=numbers.total([call.cost_usd for call in calls]),
        tokens=None if tokens is None else int(tokens),
    )
