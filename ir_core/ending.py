"""The end of a server or a command: after all that others have registered for it, at once.

Threads are daemons, and the interpreter stops each where it stands: in the middle of an import, or of torch's or
Chroma's own code, with locks that nobody gives back. What the interpreter does last of all, destroying modules and
native pools, may wait for one of them for ever, or crash. Nothing of it is of use to a process that ends, and its
last garbage collection alone would take seconds.
"""

from __future__ import annotations

import atexit
import logging
import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import cache


@dataclass(slots=True)
class Ending:
    """How this process will end. ``status`` is its exit status, unless an error that nobody caught makes it 1."""

    status: int = 0

    def now(self) -> None:
        logging.shutdown()
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # pythonw has none
                with suppress(OSError):  # whoever read it has gone
                    stream.flush()
        os._exit(1 if getattr(sys, "last_value", None) else self.status)  # such an error was printed


@cache
def begin() -> Ending:
    """Before anything else that registers itself, since the last to do so is called first."""
    one = Ending()
    atexit.register(one.now)
    return one
