"""The replays of this page."""

from __future__ import annotations

from ir_core.errors import BadInput
from ir_core.evaluation.replay_job import REPLAY, tables_of
from ir_core.jobs import Job
from ir_core.router import DECIDERS
from pages._ui import evaluations, run_words
from pages._ui.run_family import Family


def _about(job: Job) -> str:
    plan = evaluations.plan_of(job)
    name, settings = job.spec["decider"]
    if name not in DECIDERS:
        raise BadInput(f"This replay has a decider {name!r} that no longer exists. Start a new one.")
    own = ", ".join(f"{key} {value}" for key, value in settings.items())
    asked, writer = plan.asked_words, plan.writer.label or plan.writer.name
    who = f"{DECIDERS.get(name).label} decides{f' ({own})' if own else ''}"
    return f"{who} · tables {', '.join(tables_of(job))} · {asked} · {writer} · {run_words.when(job.created)}"


REPLAYS = Family(
    key="rt",
    kind=REPLAY,
    title="Replays",
    nothing="No replay yet. Start one: it goes on when this tab is closed, and is listed here for whoever comes "
    "back.",
    about=_about,
)
