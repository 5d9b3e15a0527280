"""How many requests of this process are out at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from ir_core.errors import Cancelled

MAX_AT_ONCE = 4
"""Six transforms make about eight calls; more at once trips the rate limit of a small account."""
QUEUE_S = 120.0
"""Longest wait for a turn before the call is given up."""


class Slots:
    """At most ``n`` requests at once."""

    def __init__(self, n: int = MAX_AT_ONCE) -> None:
        self.n = n
        self._free = threading.Semaphore(n)

    @contextmanager
    def one(self, cancel: threading.Event, patience: float = QUEUE_S) -> Iterator[float]:
        """Waits for a turn and holds it; gives the seconds waited.

        :raises Cancelled: while waiting, when ``cancel`` is set.
        :raises TimeoutError: when there was no turn within ``patience`` seconds.
        """
        started = time.perf_counter()
        while not self._free.acquire(timeout=0.05):
            if cancel.is_set():
                raise Cancelled("A newer query took over.")
            if time.perf_counter() - started > patience:
                raise TimeoutError
        try:
            yield time.perf_counter() - started
        finally:
            self._free.release()


SLOTS = Slots()
