"""The jobs that this process runs, each in a thread of its own."""

from __future__ import annotations

import logging
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from ir_core import config, visits
from ir_core.errors import BadInput
from ir_core.jobs.folder import Job
from ir_core.jobs.leaving import before_exit
from ir_core.jobs.running import Work, run

AT_ONCE = 2
"""Jobs worked on at the same time; more wait as "queued". Two cores are what the project is measured on."""
END_S = 20.0
"""What a process that ends waits for the calls under way, which are paid for; most models answer sooner."""
LAST_S = 5.0
"""Then, for the jobs to write down that they are paused."""
LOOK_S = 0.1
_log = logging.getLogger(__name__)


@dataclass
class _Run:
    thread: threading.Thread
    cancel: threading.Event = field(default_factory=threading.Event)
    give_up: threading.Event = field(default_factory=threading.Event)


class Runner:
    """Safe for threads. Threads are daemons: a process that ends takes them along, and the jobs read as paused.

    :param closes_at_exit: ``close`` when the process is told to end; a second Ctrl-C or SIGTERM ends it at once.
    :param nothing_sent: asked while it closes; where True (litellm is being imported, which cannot be stopped), no
        call can be under way, and nothing is waited for: a run whose process ends reads as paused, too.
    """

    def __init__(
        self,
        at_once: int = AT_ONCE,
        *,
        closes_at_exit: bool = False,
        nothing_sent: Callable[[], bool] = lambda: False,
    ) -> None:
        if closes_at_exit:
            before_exit(self._leave)
        self._nothing_sent = nothing_sent
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
            taken = threading.Event()
            refused: list[BadInput] = []
            who = visits.owner()

            def go() -> None:
                try:
                    with visits.entered(who), config.keeping("How far the run is"):
                        run(job, work, cancel=one.cancel, give_up=one.give_up, turn=self._turn, taken=taken)
                except BadInput as error:
                    refused.append(error)
                finally:
                    taken.set()
                    with self._lock:
                        if self._runs.get(job.id) is one:
                            del self._runs[job.id]

            one = _Run(threading.Thread(target=go, name=f"job-{job.id}", daemon=True))
            self._runs[job.id] = one
            one.thread.start()
        taken.wait()
        if refused:
            raise refused[0]

    def pause(self, job: Job) -> None:
        """What is done stays, and calls under way come to their end. Also where another process runs it."""
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

    def close(self, seconds: float = END_S) -> bool:
        """Pause all that this process runs, because it ends; whether all did in time.

        :param seconds: waited for calls under way. What takes longer is given up, and asked again by whoever goes on.
        """
        with self._lock:
            runs = list(self._runs.values())
        for one in runs:
            one.cancel.set()
        self._joined(runs, seconds)
        for one in runs:
            one.give_up.set()
        return self._joined(runs, LAST_S)

    def _leave(self) -> None:
        with self._lock:
            n = len(self._runs)
        if not n:
            return
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        runs = f"{n} run is" if n == 1 else f"{n} runs are"
        _log.warning("%s paused; requests under way have %.0f s to come to their end (Ctrl-C: none)", runs, END_S)
        self.close()

    def _stop(self, job: Job) -> None:
        with self._lock:
            one = self._runs.get(job.id)
        if one:
            one.cancel.set()

    def _joined(self, runs: list[_Run], seconds: float) -> bool:
        until = time.monotonic() + seconds
        while left := [one.thread for one in runs if one.thread.is_alive()]:
            if time.monotonic() >= until or self._nothing_sent():
                return False
            left[0].join(LOOK_S)
        return True
