"""Limits of the whole process: how many requests are out at once, and the replies that are kept."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

from ir_core.errors import Cancelled
from ir_core.writers._llm_call import Answer

MAX_AT_ONCE = 4
"""Six transforms make about eight calls; more at once trips the rate limit of a small account."""
MAX_KEPT = 512
"""Replies of a class working through the same examples; a few MB at most."""
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


class ReplyCache:
    """The newest ``size`` replies, by key; safe to share between threads. Only replies that were usable go in."""

    def __init__(self, size: int = MAX_KEPT) -> None:
        self.size = size
        self._kept: OrderedDict[str, Answer] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> Answer | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: str, answer: Answer) -> None:
        with self._lock:
            self._kept[key] = answer
            self._kept.move_to_end(key)
            while len(self._kept) > self.size:
                self._kept.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()

    def __len__(self) -> int:
        return len(self._kept)


SLOTS = Slots()
REPLIES = ReplyCache()
