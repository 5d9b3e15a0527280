"""The end of a server, once it was told to: after all that others have registered for it, at once.

Its threads are daemons, and the interpreter stops each where it stands: in the middle of an import, or of torch's or
Chroma's own code, with locks that nobody gives back. What the interpreter does last of all, destroying modules and
native pools, may wait for one of them for ever. Nothing of it is of use to a process that ends, and its last garbage
collection alone would take seconds.
"""

from __future__ import annotations

import atexit
import logging
import os
import sys
from functools import cache


@cache
def begin() -> None:
    """Before anything else that registers itself, since the last to do so is called first."""
    atexit.register(_end)


def _end() -> None:
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # pythonw has none
            stream.flush()
    os._exit(1 if getattr(sys, "last_value", None) else 0)  # an error nobody caught was printed
