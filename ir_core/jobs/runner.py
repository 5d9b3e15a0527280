"""The jobs that this process runs, each in a thread of its own."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from ir_core import config, visits
from ir_core.errors import BadInput
from ir_core.jobs.folder import Job
from ir_core.jobs.running import Work, run

AT_ONCE = 2
"""Jobs worked on at the same time; more wait as "queued". Two cores are what the project is measured on."""


@dataclass
class _Run:
    thread: threading.Thread
    cancel: threading.Event = field(default_factory=threading.Event)


class Runner:
    """Safe for threads. Threads are daemons: a server that stops takes them along, and the jobs read as paused."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._turn = threading.Semaphore(at_once)
        self._runs: dict[str, _Run] = {}
        self._lock = threading.Lock()

    def start(self, job: Job, work: Work) -> None:
        """Begin it, or go on with it; gives back once the job is taken.

        :raises BadInput: when it is under way already, here or in another process.
        """
        with self._lock:
            before = self._runs.get(job.id)
            if before and before.thread.is_alive():
                raise BadInput(f"The job {job.id} is under way already.")
            cancel, taken = threading.Event(), threading.Event()
            refused: list[BadInput] = []
            who = visits.owner()

            def go() -> None:
                try:
                    with visits.entered(who), config.keeping("How far the run is"):
                        run(job, work, cancel=cancel, turn=self._turn, taken=taken)
                except BadInput as error:
                    refused.append(error)
                finally:
                    taken.set()
                    with self._lock:
                        if self._runs.get(job.id) is one:
                            del self._runs[job.id]

            one = _Run(threading.Thread(target=go, name=f"job-{job.id}", daemon=True), cancel)
            self._runs[job.id] = one
            one.thread.start()
        taken.wait()
        if refused:
            raise refused[0]

    def pause(self, job: Job) -> None:
        """What is done stays; calls under way are given up. Also where another process runs it."""
        job.request("pause")
        self._stop(job)

    def cancel(self, job: Job) -> None:
        job.request("cancel")
        self._stop(job)

    def wait(self, job: Job, seconds: float | None = None) -> bool:
        """Whether this process is done with it."""
        with self._lock:
            one = self._runs.get(job.id)
        if one:
            one.thread.join(seconds)
        return one is None or not one.thread.is_alive()

    def _stop(self, job: Job) -> None:
        with self._lock:
            one = self._runs.get(job.id)
        if one:
            one.cancel.set()
