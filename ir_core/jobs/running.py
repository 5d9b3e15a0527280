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
from ir_core.jobs.leaving import is_ending
from ir_core.jobs.owner import owned
from ir_core.jobs.pace import Pace
from ir_core.jobs.state import JobState
from ir_core.secrets import log_failure

WRITE_EVERY_S = 0.25
log = logging.getLogger(__name__)


@dataclass
class Handle:
    """What the work is handed. ``cancel`` is set when it is to stop; what is under way then comes to its end, unless
    ``give_up`` is set, too, because the process ends. Both may be given to whatever the work calls."""

    job: Job
    cancel: threading.Event
    began: JobState
    give_up: threading.Event = field(default_factory=threading.Event)
    _last: JobState = field(init=False)
    _started: float = field(default_factory=time.monotonic)
    _pace: Pace = field(default_factory=Pace)
    _written: float = 0.0
    _is_written: bool = True

    def __post_init__(self) -> None:
        self._last = self.began

    def check(self) -> None:
        """To be called often.

        :raises Cancelled: when it was asked to stop, here or from another process.
        """
        if not self._is_written and time.monotonic() - self._written >= WRITE_EVERY_S:
            self._write()
        if not self.cancel.is_set() and self.job.requested():
            self.cancel.set()
        if self.cancel.is_set():
            raise Cancelled("The job was stopped.")

    def tell(
        self,
        done: int,
        total: int,
        details: Mapping[str, Any],
        *,
        at_start: int = 0,
        left: Callable[[], float | None] | None = None,
        at_once: bool = False,
    ) -> None:
        """How far it is; written some times a second.

        :param at_start: pieces that were there before this run began, from which no time can be told.
        :param left: the seconds left, None for unknown, where pieces are not alike.
        :param at_once: written now, since the next word may be long in coming.
        :raises Cancelled: as ``check``.
        """
        if self._pace.at_start != at_start:
            self._pace = Pace(at_start)
        seconds_left = left() if left else self._pace.left(done, total)
        seconds = self.began.seconds + time.monotonic() - self._started
        self._last = replace(
            self._last, done=done, total=total, details=dict(details), seconds=seconds, seconds_left=seconds_left
        )
        self._is_written = False
        if at_once:
            self._write()
        self.check()

    def between(self, details: Mapping[str, Any]) -> None:
        """While a piece is long in coming: what was counted since, and the seconds left counted down.

        :raises Cancelled: as ``check``.
        """
        seconds = self.began.seconds + time.monotonic() - self._started
        left = self._last.seconds_left
        if left is not None:
            left = max(0.0, left - (seconds - self._last.seconds))
        self._last = replace(self._last, details=dict(details), seconds=seconds, seconds_left=left)
        self._is_written = False
        self.check()

    def _write(self) -> None:
        self.job.write_state(self._last)
        self._written, self._is_written = time.monotonic(), True

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
    give_up: threading.Event | None = None,
    turn: threading.Semaphore | None = None,
    taken: threading.Event | None = None,
) -> JobState:
    """Do the work here and now; how it ended.

    ``Cancelled`` pauses it (or cancels, where that was asked; where nobody asked, the process is about to end),
    ``CapReached`` and ``WriterFails`` pause it, any other error fails it with a sentence. What the work has written
    down stays in every case.

    :param cancel: set to stop it.
    :param give_up: set, too, where what is under way is not waited for.
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
        end = _in_turn(Handle(job, cancel, before, give_up or threading.Event()), work, turn)
        job.write_state(end)
        job.request(None)
        return end


def _in_turn(handle: Handle, work: Work, turn: threading.Semaphore | None) -> JobState:
    while turn is not None and not turn.acquire(timeout=0.2):
        try:
            handle.check()
        except Cancelled:
            return _stopped(handle)
    try:
        handle = Handle(handle.job, handle.cancel, replace(handle.began, status="running"), handle.give_up)
        handle.job.write_state(handle.began)
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
        if is_ending():
            return _stopped(handle)
        said = f"Something unexpected went wrong (reference {log_failure(log, 'a job failed', error)})."
        return handle.ended(status="failed", sentence=said)
    except BaseException:
        handle.job.write_state(handle.ended(status="paused", why="stopped"))
        raise
    return handle.ended(status="finished")


def _stopped(handle: Handle) -> JobState:
    asked = handle.job.requested()
    if asked == "cancel":
        return handle.ended(status="cancelled")
    if asked == "pause":
        return handle.ended(status="paused", why="person")
    return handle.ended(status="paused", why="key" if handle.job.needs_key else "stopped")
