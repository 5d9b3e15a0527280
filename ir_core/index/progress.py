"""Reports of a long job: how far, and how long still."""

from __future__ import annotations

import threading
import time

from ir_core.errors import Cancelled
from ir_core.protocols import OnProgress, Progress


class Job:
    """What a build's stages share: who is told, and whether to stop."""

    def __init__(self, on_progress: OnProgress | None = None, cancel: threading.Event | None = None) -> None:
        self._on_progress, self._cancel = on_progress, cancel

    def check(self) -> None:
        """:raises Cancelled: once the cancel event is set."""
        if self._cancel is not None and self._cancel.is_set():
            raise Cancelled("The build was cancelled. What was embedded so far is kept.")

    def tell(self, progress: Progress) -> None:
        if self._on_progress is not None:
            self._on_progress(progress)

    def stage(self, name: str, total: int, work: float | None = None) -> Stage:
        """:param work: what ``total`` items cost together, where they do not all cost the same."""
        return Stage(self, name, total, float(total if work is None else work))


class Stage:
    """One stage. The time left follows from the work done since the first report, so a model that is loaded first
    does not spoil it."""

    def __init__(self, job: Job, name: str, total: int, work: float) -> None:
        self._job, self.name, self.total, self._work = job, name, total, work
        self._first: tuple[float, float] | None = None
        job.check()
        job.tell(Progress(name, 0, total))

    def report(self, done: int, work: float | None = None) -> None:
        """:raises Cancelled: once the job is to stop."""
        self._job.check()
        at, spent = time.perf_counter(), float(done if work is None else work)
        left = None
        if self._first is None:
            self._first = at, spent
        elif spent > self._first[1]:
            left = (at - self._first[0]) / (spent - self._first[1]) * max(0.0, self._work - spent)
        self._job.tell(Progress(self.name, done, self.total, 0.0 if done >= self.total else left))
