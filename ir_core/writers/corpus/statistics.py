"""What the writer needs of an index, and what it derives from it once."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol, TypeVar, cast

from ir_core.errors import WriterError
from ir_core.schema import Surface

T = TypeVar("T")
MAX_INDEXES = 4
"""Derived statistics are kept for this many indexes: a page compares one or two corpora at a time."""


class CorpusStatistics(Protocol):
    """Counts and texts of an opened index. Rows are surfaces; ``titles`` are one per artifact, and
    ``artifact_of`` is the artifact number of each row."""

    @property
    def vocabulary(self) -> Iterable[str]: ...
    @property
    def surfaces(self) -> Sequence[Surface]: ...
    @property
    def titles(self) -> Sequence[str]: ...
    @property
    def artifact_of(self) -> Iterable[int]: ...
    @property
    def row_of(self) -> Mapping[str, int]: ...
    def document_frequency(self, token: str, /) -> int: ...
    def collection_frequency(self, token: str, /) -> int: ...
    def term_counts(self, rows: Sequence[int], /) -> Sequence[Mapping[str, int]]: ...


class Derived:
    """Things computed from one index on first use, each once, whichever thread asks first.

    Holds the index weakly: a closed or replaced index can go while this waits to be evicted.
    """

    def __init__(self, index: weakref.ref[CorpusStatistics]) -> None:
        self._index = index
        self._lock = threading.Lock()
        self._turns: dict[Callable[..., Any], threading.Lock] = {}
        self._made: dict[Callable[..., Any], Any] = {}

    def get(self, make: Callable[[CorpusStatistics], T]) -> T:
        """``make(index)``, remembered.

        :raises WriterError: when the index is gone.
        """
        with self._lock:
            turn = self._turns.setdefault(make, threading.Lock())
        with turn:  # whoever needs another statistic does not wait for this one
            if make not in self._made:
                index = self._index()
                if index is None:
                    raise WriterError("The index was closed while the query ran. Run the query again.")
                self._made[make] = make(index)
            return cast(T, self._made[make])


_lock = threading.Lock()


def derived(index: CorpusStatistics) -> Derived:
    """The derived statistics of this index; the same object for every writer over it."""
    with _lock:
        return _derived(weakref.ref(index))


@lru_cache(maxsize=MAX_INDEXES)
def _derived(index: weakref.ref[CorpusStatistics]) -> Derived:
    return Derived(index)
