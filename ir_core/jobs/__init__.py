"""Long jobs that survive a reload, a closed tab and a killed server.

``HOME/jobs/<id>/`` is one job: ``job.json`` says what is to be done, ``state.json`` how far it is (replaced by one
rename), and JSON lines hold its results, one line for each finished piece. A file lock says who runs it: the system
gives it up with the process, so a "running" job without an owner is a paused one. No key is ever written there;
``needs_key`` says that one has to be typed again.

::

    job = JobStore().create("evaluation", spec, title="Help centre", needs_key=False)
    Runner().start(job, work)                # in a thread; run(job, work) does it here
    job.state()                              # queued, running, paused (why), cancelled, failed, finished
"""

from __future__ import annotations

from ir_core.jobs.folder import Job
from ir_core.jobs.leaving import is_ending
from ir_core.jobs.lines import Lines
from ir_core.jobs.pace import Pace
from ir_core.jobs.runner import Runner
from ir_core.jobs.running import Handle, Work, run
from ir_core.jobs.state import ENDED, JobState, Status, Why
from ir_core.jobs.store import MAX_BYTES, MAX_JOBS, JobStore

__all__ = [
    "ENDED",
    "MAX_BYTES",
    "MAX_JOBS",
    "Handle",
    "Job",
    "JobState",
    "JobStore",
    "Lines",
    "Pace",
    "Runner",
    "Status",
    "Why",
    "Work",
    "is_ending",
    "run",
]
