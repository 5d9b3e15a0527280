"""Running one job to its end, its pause or its failure, whichever comes first; the state on disk follows."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ir_core.errors import Cancelled, CapReached, DiskRefuses, QueryPrismError, WriterFails
from ir_core.jobs.folder import Job
from ir_core.jobs.owner import owned
from ir_core.jobs.state import JobState
from ir_core.secrets import log_failure

WRITE_EVERY_S = 0.25
log = logging.getLogger(__name__)


@dataclass
class Handle:
    """What the work is handed. ``cancel`` is set when it is to stop, and may be given to whatever it calls."""

    job: Job
    cancel: threading.Event
    began: JobState
    _last: JobState = field(init=False)
    _started: float = field(default_factory=time.monotonic)
    _clock: float = field(default_factory=time.monotonic)
    _written: float = 0.0

    def __post_init__(self) -> None:
        self._last = self.began

    def check(self) -> None:
        """:raises Cancelled: when it was asked to stop, here or from another process."""
        if not self.cancel.is_set() and self.job.requested():
            self.cancel.set()
        if self.cancel.is_set():
            raise Cancelled("The job was stopped.")

    def tell(self, done: int, total: int, details: Mapping[str, Any], *, at_start: int = 0) -> None:
        """How far it is; written some times a second.

        :param at_start: pieces that were there before this run began, from which no time can be told.
        :raises Cancelled: as ``check``.
        """
        now, fresh = time.monotonic(), done - at_start
        if fresh <= 0:
            self._clock = now  # what was loaded before the first piece is not what a piece takes
        left = (now - self._clock) / fresh * (total - done) if fresh > 0 else None
        seconds = self.began.seconds + now - self._started
        self._last = replace(
            self._last, done=done, total=total, details=dict(details), seconds=seconds, seconds_left=left
        )
        if time.monotonic() - self._written >= WRITE_EVERY_S:
            self.job.write_state(self._last)
            self._written = time.monotonic()
        self.check()

    def note(self, details: Mapping[str, Any]) -> None:
        """Counted until the very end; it goes with the state that comes next."""
        self._last = replace(self._last, details=dict(details))

    def ended(self, **changes: Any) -> JobState:
        seconds = self.began.seconds + time.monotonic() - self._started
        return replace(self._last, seconds=seconds, seconds_left=None, **changes)


Work = Callable[[Handle], None]


def run(
    job: Job,
    work: Work,
    *,
    cancel: threading.Event | None = None,
    turn: threading.Semaphore | None = None,
    taken: threading.Event | None = None,
) -> JobState:
    """Do the work here and now; how it ended.

    ``Cancelled`` pauses it (or cancels, where that was asked), ``CapReached`` and ``WriterFails`` pause it, any other
    error fails it with a sentence. What the work has written down stays in every case.

    :param turn: waited for in the state "queued".
    :param taken: set once the job is this caller's, and its state on disk says so.
    :raises BadInput: when somebody else runs it.
    """
    cancel = cancel or threading.Event()
    with owned(job.folder):
        job.request(None)
        before = replace(job.last_state(), status="queued", why=None, sentence="", seconds_left=None)
        job.write_state(before)
        if taken is not None:
            taken.set()
        end = _in_turn(job, work, before, cancel, turn)
        job.write_state(end)
        job.request(None)
        return end


def _in_turn(
    job: Job, work: Work, before: JobState, cancel: threading.Event, turn: threading.Semaphore | None
) -> JobState:
    handle = Handle(job, cancel, before)
    while turn is not None and not turn.acquire(timeout=0.2):
        try:
            handle.check()
        except Cancelled:
            return _stopped(handle)
    try:
        handle = Handle(job, cancel, replace(before, status="running"))
        job.write_state(handle.began)
        return _worked(handle, work)
    finally:
        if turn is not None:
            turn.release()


def _worked(handle: Handle, work: Work) -> JobState:
    try:
        handle.check()
        work(handle)
    except Cancelled:
        return _stopped(handle)
    except CapReached as error:
        return handle.ended(status="paused", why="cap", sentence=str(error))
    except WriterFails as error:
        return handle.ended(status="paused", why="writer", sentence=str(error))
    except QueryPrismError as error:
        return handle.ended(status="failed", sentence=str(error))
    except OSError as error:
        return handle.ended(status="failed", sentence=str(DiskRefuses("What comes next", error)))
    except Exception as error:
        said = f"Something unexpected went wrong (reference {log_failure(log, 'a job failed', error)})."
        return handle.ended(status="failed", sentence=said)
    except BaseException:
        handle.job.write_state(handle.ended(status="paused", why="stopped"))
        raise
    return handle.ended(status="finished")


def _stopped(handle: Handle) -> JobState:
    if handle.job.requested() == "cancel":
        return handle.ended(status="cancelled")
    return handle.ended(status="paused", why="person")
