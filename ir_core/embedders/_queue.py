"""Who may use the model next: one at a time, and a query that waits goes before the next batch of documents."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class QueriesFirst:
    """A person who searches while an index is being built waits for one batch, not for the build."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._busy = False
        self._waiting = 0

    @contextmanager
    def query(self) -> Iterator[None]:
        with self._changed:
            self._waiting += 1
            self._changed.wait_for(lambda: not self._busy)
            self._waiting -= 1
            self._busy = True
        yield from self._until_done()

    @contextmanager
    def document(self) -> Iterator[None]:
        with self._changed:
            self._changed.wait_for(lambda: not self._busy and not self._waiting)
            self._busy = True
        yield from self._until_done()

    def _until_done(self) -> Iterator[None]:
        try:
            yield
        finally:
            with self._changed:
                self._busy = False
                self._changed.notify_all()
