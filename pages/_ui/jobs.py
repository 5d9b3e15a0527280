"""Work that outlives one run of the script: a comparison or a build goes on in a thread while the page reruns.

The thread never calls Streamlit. The script thread *follows* the job: it draws what has happened and looks up ten
times a second, so that a click in the meantime starts the next run, which follows the same job from the beginning.

Streamlit ends a run in the same way for a click, for another page and for a closed tab. So a job that is left goes
on; one with ``patience`` is cancelled when nobody has come back by then.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from ir_core import visits

Emit = Callable[[Any], None]
Work = Callable[[Emit, threading.Event], Any]
TICK = 0.1
BY_HAND, NEWER, LEFT = "by hand", "newer", "left"
"""Why a job was stopped: a button, a newer job, or nobody followed it any more."""


@dataclass
class Job:
    """``asked`` is whatever the page needs to draw the job again; ``events`` only grows; ``patience`` is in seconds,
    None is for ever; ``stopped`` says why it was cancelled."""

    asked: Any
    patience: float | None = None
    id: str = field(default_factory=lambda: uuid.uuid4().hex[:12])
    cancel: threading.Event = field(default_factory=threading.Event)
    events: list[Any] = field(default_factory=list)
    stopped: str | None = None
    result: Any = None
    error: BaseException | None = None
    started: float = field(default_factory=time.monotonic)
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _over: bool = False
    _visits: int = 0

    @property
    def is_over(self) -> bool:
        return self._over

    def stop(self, why: str) -> None:
        """Cancel it. The first reason stays; what is over was not stopped."""
        if not self._over:
            self.stopped = self.stopped or why
        self.cancel.set()

    def run(self, work: Work) -> None:
        try:
            self.result = work(self._emit, self.cancel)
        except BaseException as error:  # kept, and shown by whoever follows
            self.error = error
        finally:
            with self._changed:
                self._over = True
                self._changed.notify_all()

    def _emit(self, event: Any) -> None:
        with self._changed:
            self.events.append(event)
            self._changed.notify_all()

    def come(self) -> int:
        """Somebody follows; gives the number of the visit."""
        self._visits += 1
        return self._visits

    def leave(self, visit: int) -> None:
        """That visit ended. Without a later one the job is cancelled once its patience is over."""

        def cancel_if_alone() -> None:
            if self._visits == visit:
                self.stop(LEFT)

        if self.patience is not None and not self._over:
            timer = threading.Timer(self.patience, cancel_if_alone)
            timer.daemon = True
            timer.start()

    def wait(self, seen: int, seconds: float) -> None:
        """Until there are more than ``seen`` events, the job is over, or the time has passed."""
        with self._changed:
            self._changed.wait_for(lambda: len(self.events) > seen or self._over, seconds)


class Jobs:
    """A bounded store: the session keeps ids, this keeps what they stand for. The oldest go first, cancelled."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._lock = threading.Lock()

    def start(self, asked: Any, work: Work, *, patience: float | None = None) -> Job:
        job = Job(asked, patience)
        with self._lock:
            self._jobs[job.id] = job
            while len(self._jobs) > self.size:
                _, oldest = self._jobs.popitem(last=False)
                oldest.stop(NEWER)
        who = visits.owner()

        def go() -> None:
            with visits.entered(who):
                job.run(work)

        threading.Thread(target=go, name=f"job-{job.id}", daemon=True).start()
        return job

    def same(self, asked: Any) -> Job | None:
        """The newest of which just this was asked, and that has not failed: whoever asks next follows it, too."""
        with self._lock:
            like = (job for job in reversed(self._jobs.values()) if job.asked == asked)
            return next((job for job in like if not job.error and not job.cancel.is_set()), None)

    def drop(self, name: str | None) -> None:
        """A newer one takes its place: it is stopped, and makes room."""
        with self._lock:
            job = self._jobs.pop(name or "", None)
        if job:
            job.stop(NEWER)

    def get(self, name: str | None) -> Job | None:
        with self._lock:
            job = self._jobs.get(name or "")
            if job:
                self._jobs.move_to_end(job.id)
            return job


def follow(job: Job, draw: Callable[[list[Any]], None]) -> None:
    """Call ``draw`` with new events as they come, from the first, and with none in between, until the job is over."""
    seen = 0
    visit = job.come()
    try:
        while True:
            over = job.is_over
            fresh = job.events[seen:]
            seen += len(fresh)
            draw(fresh)
            if over and seen == len(job.events):
                return
            job.wait(seen, TICK)
            st.session_state.get("a point at which a waiting rerun or stop takes over")
    finally:
        job.leave(visit)
