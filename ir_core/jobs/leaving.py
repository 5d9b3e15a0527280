"""Something to be done when this process is told to end, while its threads still live."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable
from typing import Any


def before_exit(act: Callable[[], None]) -> None:
    """``act`` is called in the main thread once that is through, after Ctrl-C and SIGTERM where they end it (as
    Streamlit's own handlers do), and never after SIGKILL.

    ``atexit`` would be too late: before it comes, the interpreter waits for every thread of an executor to work off
    its queue, and so for all that a run still has to ask. Executors register that wait with ``threading`` itself; of
    what is registered there the last comes first. On a Python without that hook ``atexit`` has to do.
    """
    import concurrent.futures.thread  # noqa: F401  # so that its wait is registered by now

    register: Callable[[Callable[[], None]], Any] = getattr(threading, "_register_atexit", atexit.register)
    register(act)


def is_ending() -> bool:
    """Whether the main thread is through. What the others begin now may fail for that reason alone: no executor takes
    work, and no module can be imported that registers itself with ``threading``."""
    return getattr(threading, "_SHUTTING_DOWN", False) or not threading.main_thread().is_alive()
