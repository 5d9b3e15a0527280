"""A wrong key must not fill a run with fallbacks: when ten calls in a row fail before any works, the
run stops there."""

from __future__ import annotations

import threading
from collections.abc import Callable

from ir_core.errors import WriterFails
from ir_core.schema import NO_LLM, Formulation

FIRST = 10
"""Calls in a row since the run began or went on, tries counted."""


class FirstCalls:
    """Watches the first calls to a model since a run began or went on, from several threads. Until one of them
    succeeds, failed texts are held back: should all fail, none was ever kept, and another try asks for each again."""

    def __init__(self, first: int = FIRST) -> None:
        self._first = first
        self._failed = 0
        self._settled = False
        self._held: list[Callable[[], None]] = []
        self._lock = threading.Lock()
        self._said = ""

    @property
    def is_open(self) -> bool:
        """Some calls failed, and none succeeded yet."""
        with self._lock:
            return bool(self._failed) and not self._settled

    def see(self, made: Formulation, keep: Callable[[], None]) -> None:
        """``keep`` is called now, or once it is known that the writer works.

        :raises WriterFails: when the first calls have all failed.
        """
        calls = [call for call in made.calls if not call.cached and not call.recorded and call.model != NO_LLM]
        with self._lock:
            for call in calls if not self._settled else ():
                if not call.error:
                    self._settled = True
                    break
                self._failed += 1
                self._said = call.error
            if not self._settled and self._failed >= self._first:
                raise WriterFails(
                    f"The writer fails: {self._failed} calls in a row brought no text, so nothing more is "
                    f"asked and no figure is filled with fallbacks. The last said: {self._said} Correct the key, the "
                    "address or the model, then go on."
                )
            waits = not self._settled and any(call.error for call in calls)
            if waits:
                self._held.append(keep)
            released = self._held if self._settled else []
            self._held = [] if self._settled else self._held
        for one in released:
            one()
        if not waits:
            keep()

    def end(self) -> None:
        """No more is coming, and fewer than ten calls were made: what failed is what there is."""
        with self._lock:
            released, self._held = self._held, []
        for one in released:
            one()
