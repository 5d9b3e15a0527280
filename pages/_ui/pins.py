"""Comparisons that were pinned, to be put beside later ones: a bounded store; a visit keeps only the id."""

from __future__ import annotations

import threading
import uuid
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ir_core.schema import SearchResult


@dataclass(frozen=True, slots=True)
class Pin:
    """``order`` is what was asked of which index, ``made_of`` that index in words (strategy, embedder). Results hold
    documents by artifact id, so they can be put beside those of an index built otherwise."""

    order: Any
    made_of: tuple[str, str]
    results: tuple[SearchResult, ...]


class Pins:
    """At most ``size``; the one not looked at longest goes first. Safe for threads."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._kept: OrderedDict[str, Pin] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, order: Any, made_of: tuple[str, str], results: Sequence[SearchResult]) -> str:
        """Its id."""
        name = uuid.uuid4().hex[:12]
        with self._lock:
            self._kept[name] = Pin(order, made_of, tuple(results))
            while len(self._kept) > self.size:
                self._kept.popitem(last=False)
        return name

    def get(self, name: str | None) -> Pin | None:
        with self._lock:
            found = self._kept.get(name or "")
            if found and name:
                self._kept.move_to_end(name)
            return found

    def drop(self, name: str | None) -> None:
        with self._lock:
            self._kept.pop(name or "", None)
