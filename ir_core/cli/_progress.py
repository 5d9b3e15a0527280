"""Progress on standard error: one line that is drawn over, or, where nobody is watching, one every few seconds."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ir_core.protocols import Progress

EVERY = 5.0


class Reporter:
    """Call it with each ``Progress``; ``close`` ends the line."""

    def __init__(self) -> None:
        self.watched = sys.stderr.isatty()
        self.last = time.monotonic() if not self.watched else 0.0
        self.stage = ""
        self.width = 0

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        over = progress.done >= progress.total
        waiting = now - self.last < (0.1 if self.watched else EVERY)
        if waiting and not (self.watched and (over or progress.stage != self.stage)):
            return
        self.last, self.stage = now, progress.stage
        left = progress.seconds_left
        time_left = "" if over or left is None else f", {left:.0f} s left"
        self._write(f"{progress.stage}: {progress.done:,} of {progress.total:,}{time_left}")

    def _write(self, line: str) -> None:
        if self.watched:
            sys.stderr.write("\r" + line.ljust(self.width))
            self.width = len(line)
        else:
            sys.stderr.write(line + "\n")
        sys.stderr.flush()

    def close(self) -> None:
        if self.watched and self.width:
            sys.stderr.write("\r" + " " * self.width + "\r")
            sys.stderr.flush()
            self.width = 0
