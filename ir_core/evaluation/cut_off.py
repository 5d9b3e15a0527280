"""What a kill cost: the requests that were under way, whose replies nobody has."""

from __future__ import annotations

from ir_core.evaluation.asked import Requests
from ir_core.evaluation.job_files import ASKED, JUDGE_ASKED, of_part
from ir_core.evaluation.plan import Plan
from ir_core.jobs import Job, JobState


def cut_off(job: Job, state: JobState | None = None) -> int:
    """Requests that were under way whenever a process that worked on this run ended, in all. They are asked again
    when it goes on, and what the first ones cost is not known.

    :param state: the job's, where it is known already.
    """
    state = state or job.state()
    if "cut_off" not in state.details or state.why not in {"key", "stopped"}:
        return int(state.details.get("cut_off", 0))  # whoever wrote the state knew
    parts = Plan.from_json(job.spec.get("plan", job.spec)).parts()  # a replay has more in its spec
    logs = [*(of_part(job, ASKED, number) for number in range(len(parts))), job.lines(JUDGE_ASKED)]
    return sum(Requests(lines).cut_off for lines in logs)


def cut_off_said(job: Job, state: JobState | None = None) -> str:
    """The same as a sentence for a person; "" where there were none."""
    state = state or job.state()
    n = cut_off(job, state)
    if not n:
        return ""
    were, they, first = ("1 request was", "it", "it") if n == 1 else (f"{n:,} requests were", "them", "they")
    waits = state.why in {"key", "stopped"}
    asked = f"Resume asks for {they} again" if waits else f"The run asked for {they} again"
    return (
        f"{were} under way when the process that worked on this run was killed. {asked}; what {first} cost the first "
        "time is not known."
    )
