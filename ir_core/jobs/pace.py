"""How long the rest of some pieces takes, by what those before it took."""

from __future__ import annotations

import time


class Pace:
    """What was loaded before the first piece is not what a piece takes, so the clock starts when that begins.

    :param at_start: pieces that were there before, from which no time can be told.
    """

    def __init__(self, at_start: int = 0) -> None:
        self.at_start = at_start
        self._clock = time.monotonic()

    def left(self, done: int, total: int) -> float | None:
        """Seconds; None until a piece is through."""
        now, fresh = time.monotonic(), done - self.at_start
        if fresh <= 0:
            self._clock = now
            return None
        return (now - self._clock) / fresh * (total - done)
