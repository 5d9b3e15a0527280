"""The runs of this page."""

from __future__ import annotations

from ir_core.evaluation import KIND, Plan
from ir_core.jobs import Job
from pages._ui.run_family import Family
from pages.evaluate import words


def _about(job: Job) -> str:
    return words.about(job, Plan.from_json(job.spec))


RUNS = Family(
    key="ev",
    kind=KIND,
    title="Runs",
    nothing="No run yet. Choose transforms above and press Start: the run goes on when this tab is closed, and is "
    "listed here for whoever comes back.",
    about=_about,
)
