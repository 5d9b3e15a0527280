"""Single flight: of several callers who want the same thing at once, one fetches it and the others wait for that."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from ir_core.errors import Cancelled

PATIENCE_S = 30.0
"""How long one request waits for the same one under way: as long as a request may take."""
_POLL_S = 0.05


@dataclass
class _Turn:
    lock: threading.Lock = field(default_factory=threading.Lock)
    users: int = 0


class Flights:
    """Turns by key, within this process."""

    def __init__(self) -> None:
        self._turns: dict[str, _Turn] = {}
        self._lock = threading.Lock()

    @contextmanager
    def one(self, key: str, cancel: threading.Event | None, patience: float) -> Iterator[float]:
        """Waits for the turn and holds it; gives the seconds waited. After ``patience`` seconds it goes on without.

        :raises Cancelled: while waiting, when ``cancel`` is set.
        """
        started = time.perf_counter()
        with self._lock:
            turn = self._turns.setdefault(key, _Turn())
            turn.users += 1
        mine = False
        try:
            while not (mine := turn.lock.acquire(timeout=_POLL_S)):
                if cancel is not None and cancel.is_set():
                    raise Cancelled("A newer query took over.")
                if time.perf_counter() - started > patience:
                    break
            yield time.perf_counter() - started
        finally:
            if mine:
                turn.lock.release()
            with self._lock:
                turn.users -= 1
                if not turn.users:
                    self._turns.pop(key, None)
