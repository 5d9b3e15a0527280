"""Caps, and the count of what was spent under them. Safe for threads: a visit's runs may share one purse."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

from ir_core.errors import BadSetting, CapReached
from ir_core.schema import Call, Foreseen


@dataclass(frozen=True, slots=True)
class Cap:
    """Calls and US dollars; None is no cap.

    :raises BadSetting: for one below 0.
    """

    max_calls: int | None = None
    max_usd: float | None = None

    def __post_init__(self) -> None:
        for value, unit in ((self.max_calls, "calls"), (self.max_usd, "dollars")):
            if value is not None and not value >= 0:
                raise BadSetting(f"A cap of {value} {unit} is none; give 0 or more, or leave it out.")


@dataclass(frozen=True, slots=True)
class Spent:
    """``calls`` are requests that were made, tries counted; replies from the cache are not. ``cost_usd`` is the known
    part, ``unpriced`` the calls whose price nobody knows. ``answered`` calls took ``seconds`` in all."""

    calls: int = 0
    answered: int = 0
    seconds: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0

    @property
    def seconds_each(self) -> float | None:
        """Seconds per call that was answered; None before the first."""
        return self.seconds / self.answered if self.answered else None

    @property
    def usd_each(self) -> float | None:
        """Dollars per call; None before the first, and when one of them has no known price."""
        return self.cost_usd / self.calls if self.calls and not self.unpriced else None

    def plus(self, call: Call) -> Spent:
        """With one more call. One that failed before a word came cost, as far as anybody knows, nothing; its ``raw``
        may quote the server's error."""
        wordless = not call.raw or call.first_token_s is None
        cost = 0.0 if call.cost_usd is None and call.error and wordless else call.cost_usd
        return Spent(
            self.calls + 1,
            self.answered + (not call.error),
            self.seconds + (0.0 if call.error else call.seconds),
            self.tokens_in + (call.tokens_in or 0),
            self.tokens_out + (call.tokens_out or 0),
            self.cost_usd + (cost or 0.0),
            self.unpriced + (cost is None),
        )


def is_cap(reason: str | None) -> bool:
    """Whether a card's fallback reason is that a cap was reached."""
    return bool(reason) and str(reason).startswith(CapReached.begins)


class Purse:
    """What a run or a visit has spent, in all and per model, and what it may.

    A call is reserved before it leaves, at its expected cost, so that calls side by side cannot all pass under one
    last cent. ``cap`` may be changed at any time; it holds from the next call on.

    :param what: "this run", as in "The cap of this run is reached".
    :param way_out: a sentence that says where to raise it.
    :param spent: what a run that goes on had spent before.
    """

    def __init__(
        self,
        cap: Cap | None = None,
        *,
        what: str = "this run",
        way_out: str = "Raise it, or leave it out.",
        spent: Spent | None = None,
    ) -> None:
        self.cap = cap or Cap()
        self.what, self.way_out = what, way_out
        self._spent: dict[str, Spent] = {}
        self._total = spent or Spent()
        self._calls_held = 0
        self._usd_held = 0.0
        self._lock = threading.Lock()

    def spent(self, model: str | None = None) -> Spent:
        """By one model, or in all."""
        with self._lock:
            return self._total if model is None else self._spent.get(model, Spent())

    def reserve(self, foreseen: Foreseen, model: str) -> list[Foreseen]:
        """Room for these calls: one entry for each, to be given back by ``pay`` or ``release``. Where their price is
        unknown, the mean of the model's earlier calls stands for it; where that is, too, dollars cannot be capped,
        but that a cap of 0 takes only what is known to cost nothing.

        :raises CapReached: when they would go beyond the cap.
        """
        calls = foreseen.calls
        with self._lock:
            each = self._spent.get(model, Spent()).usd_each
            if foreseen.cost_usd is not None and calls:
                each = foreseen.cost_usd / calls
            self._check(calls, None if each is None else each * calls)
            held = [Foreseen(1, cost_usd=each)] * calls
            self._hold(held, 1)
            return held

    def pay(self, call: Call, held: Foreseen | None) -> None:
        """A call was made, in the place of what was held for it."""
        with self._lock:
            self._hold([held] if held else [], -1)
            self._total = self._total.plus(call)
            self._spent[call.model] = self._spent.get(call.model, Spent()).plus(call)

    def release(self, held: Sequence[Foreseen]) -> None:
        with self._lock:
            self._hold(held, -1)

    def _hold(self, held: Sequence[Foreseen], sign: int) -> None:
        self._calls_held += sign * len(held)
        self._usd_held += sign * sum(one.cost_usd or 0.0 for one in held)

    def _check(self, calls: int, cost: float | None) -> None:
        made, paid = self._total.calls + self._calls_held, self._total.cost_usd + self._usd_held
        if self.cap.max_calls is not None and made + calls > self.cap.max_calls:
            allowed = f"{self.cap.max_calls} {'call' if self.cap.max_calls == 1 else 'calls'}"
            raise self._reached(allowed, f"{made} made or under way, {calls} more needed")
        if self.cap.max_usd is not None and (paid + (cost or 0.0) > self.cap.max_usd):
            more = "" if cost is None else f", about {dollars(cost)} more needed"
            raise self._reached(dollars(self.cap.max_usd), f"{dollars(paid)} spent or under way{more}")
        if self.cap.max_usd == 0 and cost is None:
            raise self._reached(dollars(0), "the price of the next call is unknown, so it may cost something")

    def _reached(self, cap: str, why: str) -> CapReached:
        return CapReached(f"{CapReached.begins} {self.what} ({cap}) is reached: {why}. {self.way_out}")


def dollars(value: float) -> str:
    if 0 < value < 1e-6:
        return "less than $0.000001"
    return f"${round(value, 6) + 0.0:.6f}".rstrip("0").rstrip(".")  # + 0.0: sums of floats may end at -0
