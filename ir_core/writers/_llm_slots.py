"""How many requests of this process are out at once, and whose turn is next."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Iterator
from contextlib import contextmanager

from ir_core import visits
from ir_core.errors import Cancelled

MAX_AT_ONCE = 4
"""Six transforms make about eight calls; more at once trips the rate limit of a small account."""
QUEUE_S = 120.0
"""Longest wait for a turn before the call is given up."""
LOOK_S = 0.05


class Slots:
    """At most ``n`` requests at once. Visits of a shared server take turns, and within one whoever came first is
    first: a visit with eight requests waiting does not keep another's only one behind them all."""

    def __init__(self, n: int = MAX_AT_ONCE) -> None:
        self.n = n
        self._out = 0
        self._turn = threading.Condition()
        self._waiting: OrderedDict[str | None, deque[object]] = OrderedDict()

    @property
    def waiting(self) -> int:
        """Requests that wait for a turn, of all visits."""
        with self._turn:
            return sum(map(len, self._waiting.values()))

    @contextmanager
    def one(self, cancel: threading.Event, patience: float = QUEUE_S) -> Iterator[float]:
        """Waits for a turn and holds it; gives the seconds waited.

        :raises Cancelled: while waiting, when ``cancel`` is set.
        :raises TimeoutError: when there was no turn within ``patience`` seconds.
        """
        started = time.perf_counter()
        self._wait(visits.owner(), cancel, patience)
        try:
            yield time.perf_counter() - started
        finally:
            with self._turn:
                self._out -= 1
                self._turn.notify_all()

    def _wait(self, who: str | None, cancel: threading.Event, patience: float) -> None:
        ticket, until = object(), time.perf_counter() + patience
        with self._turn:
            self._waiting.setdefault(who, deque()).append(ticket)
            try:
                while not (self._out < self.n and self._next() is ticket):
                    if cancel.is_set():
                        raise Cancelled("A newer query took over.")
                    if time.perf_counter() > until:
                        raise TimeoutError
                    self._turn.wait(LOOK_S)
                self._out += 1
            finally:
                own = self._waiting[who]
                own.remove(ticket)
                if own:
                    self._waiting.move_to_end(who)  # the other visits come first now
                else:
                    del self._waiting[who]
                self._turn.notify_all()

    def _next(self) -> object:
        return next(iter(self._waiting.values()))[0]


SLOTS = Slots()
