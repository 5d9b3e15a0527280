"""Cyclic garbage collection after each run of a script.

Streamlit asks for a full collection whenever a script has ended. With torch, Chroma and plotly in the process that
looks through 900,000 objects that never go, holding up every visitor for half a second: two thirds of the
processor time of a comparison that was asked before. What a slow collection left is therefore set aside
(``gc.freeze``), and looked through again only now and then, since an index that was closed may be among it.
"""

from __future__ import annotations

import gc
import time

SLOW_S = 0.05
"""Of the processor: a busy machine makes no collection slow."""
THOROUGH_S = 900.0
"""From setting aside to the next look at everything, where there is reason for one."""


class Collecting:
    """A hook on collections (``gc.callbacks``)."""

    def __init__(self) -> None:
        self._began, self._thorough, self._aside = 0.0, time.monotonic(), False

    def __call__(self, phase: str, info: dict[str, int]) -> None:
        if info["generation"] < 2:
            return
        if phase == "start":
            self._began = time.thread_time()
        elif time.thread_time() - self._began > SLOW_S:
            if self._aside and time.monotonic() - self._thorough > THOROUGH_S:
                self._thorough = time.monotonic()
                self._aside = False
                gc.unfreeze()  # the next one looks at everything, is slow, and sets aside what it left
            else:
                self._aside = True
                gc.freeze()


def everything() -> None:
    """Now, also what was set aside: of a key that was forgotten nothing may stay."""
    gc.unfreeze()
    gc.collect()


def begin() -> None:
    """Once per process."""
    if not any(isinstance(one, Collecting) for one in gc.callbacks):
        gc.callbacks.append(Collecting())
