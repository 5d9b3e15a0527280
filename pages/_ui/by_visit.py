"""Values in memory, one for each visit of a shared server."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Kept(Generic[T]):
    """One value for each visit of a shared server, of a bounded number of them: the one unused longest goes."""

    def __init__(self, most: int) -> None:
        self._most, self._values, self._lock = most, OrderedDict[str, T](), threading.Lock()

    def of(self, who: str, make: Callable[[], T]) -> T:
        with self._lock:
            value = self._values.pop(who) if who in self._values else make()
            self._values[who] = value
            if len(self._values) > self._most:
                self._values.popitem(last=False)
            return value
