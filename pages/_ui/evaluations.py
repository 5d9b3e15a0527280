"""Evaluations and replays of this server: begun, paused and resumed from a page, worked on in threads of their own.

A run holds a typed key in its thread and nowhere else; the files of a run only say that there was one.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ir_core import visits
from ir_core.budget import Cap, Purse
from ir_core.errors import BadInput
from ir_core.evaluation import (
    KIND,
    Plan,
    WriterPlan,
    again,
    create,
    open_index_of,
    open_writer_of,
    with_cap,
    work_of,
    writer_address,
)
from ir_core.evaluation.job import Parts
from ir_core.evaluation.replay_job import REPLAY, replay_work
from ir_core.jobs import Handle, Job, JobState, JobStore, Runner, Work
from ir_core.retrieval import Engine
from ir_core.secrets import Secret, host_of
from ir_core.writers.llm import is_loading
from pages._ui import keys, resources, spending, writer_model, writers

RUNNER = Runner(closes_at_exit=True, nothing_sent=is_loading)
"""One per process, for all visits."""
NEEDS_KEY = "needs key"


def every(kind: str = KIND) -> list[Job]:
    """The newest first."""
    return JobStore().jobs(kind)


def get(run_id: str, kind: str | None = None) -> Job:
    """:raises BadInput: for one there is not (any more), or that is of another kind."""
    job = JobStore().get(run_id)
    if kind not in (None, job.kind):
        where = "Router" if job.kind == REPLAY else "Evaluate"
        raise BadInput(f"This link names a run of another page. Open it on the {where} page.")
    return job


def plan_of(job: Job) -> Plan:
    """:raises BadInput: for one of a release that knew other transforms."""
    return Plan.from_json(job.spec["plan"] if job.kind == REPLAY else job.spec)


def writer_plan(choice: writers.Choice) -> WriterPlan:
    """Who writes, without the key."""
    recording = choice.recording
    if recording:
        file = f"recorded:{recording.task}:{recording.path}" if recording.task else f"recorded:{recording.path}"
        return WriterPlan(file, recording.label, opens_files=True)
    address, stripped = writer_address(choice.base_url)
    wording, price = choice.wording, choice.price
    return WriterPlan(
        choice.name,
        choice.label,
        address,
        needs_key=choice.api_key is not None or stripped,
        price=(price.input_per_million, price.output_per_million) if price else None,
        edited={p.id: {"system": p.system, "user": p.user, "temperature": p.temperature} for p in wording.edited},
        query_language=wording.query_language,
        passage_language=wording.passage_language,
        deadline_s=choice.deadline_s,
    )


def begin(plan: Plan, title: str, *engines: Engine) -> Job:
    """A new run over the corpus' judged queries, under way when this returns. To be called by the script.

    :param engines: one over each of the plan's indexes.
    :raises BadInput: when nothing can be measured.
    """
    job = create(
        plan,
        resources.queries(plan.corpus, plan.query_set),
        resources.judgements(plan.corpus, plan.query_set),
        title=title,
        store=JobStore(),
        held={one.index.manifest.fingerprint: set(one.index.artifact_ids) for one in engines},
    )
    return start(job)


def start(job: Job) -> Job:
    """Under way when this returns. To be called by the script.

    :raises BadInput: on a shared server, while another of this visit is under way.
    """
    if visits.owner() and any(one.id != job.id and one.state().is_active for one in JobStore().jobs()):
        raise BadInput("On this server a visit runs one evaluation at a time. Wait for the other, or cancel it.")
    RUNNER.start(job, _work(job))
    return job


def resume(job: Job) -> None:
    """Go on with it, with this visit's key where it needs one. To be called by the script.

    :raises BadInput: when it is under way already, or another visit's.
    """
    JobStore().only_own(job)
    start(job)


def search_again(job: Job, plan: Plan) -> Job:
    """A new run over the same texts, in other modes or to another k."""
    return start(again(job, plan, store=JobStore()))


def raise_cap(job: Job, calls: int | None, usd: float | None) -> None:
    """:raises BadSetting: for a cap below 0. :raises BadInput: for another visit's."""
    JobStore().only_own(job)
    if job.kind != REPLAY:
        resume(with_cap(job, calls, usd))
        return
    Cap(calls, usd)
    plan = replace(plan_of(job), max_calls=calls, max_usd=usd)
    changed = replace(job, spec={**job.spec, "plan": plan.to_json()})
    changed.write()
    resume(changed)


def pause(job: Job) -> None:
    """:raises BadInput: for another visit's run."""
    JobStore().only_own(job)
    RUNNER.pause(job)


def cancel(job: Job) -> None:
    """A run ends after the requests under way; what does not run is over at once."""
    JobStore().only_own(job)
    if job.state().is_active:
        RUNNER.cancel(job)
    else:
        JobStore().cancel(job)


def delete(job: Job) -> None:
    """:raises BadInput: while it is under way."""
    JobStore().delete(job)


def lacks_key(job: Job, state: JobState) -> bool:
    """It waits, and this visit has no key to go on with."""
    return state.may_resume and bool(missing_keys(job))


def missing_keys(job: Job) -> dict[str, str]:
    """The places for which this visit has no key though the run needs one, and who is asked there, in words."""
    places = plan_of(job).key_places if job.needs_key else {}
    kept = _kept_for(places)
    return {place: names for place, names in places.items() if place not in kept}


def key_box(job: Job, widget: str) -> None:
    """A box for each key that is missing."""
    several = len(plan_of(job).key_places) > 1
    for number, place in enumerate(missing_keys(job)):
        keys.box(f"{widget}.{number}" if number else widget, place if several else "")


def _kept_for(places: Collection[str]) -> dict[str, Secret]:
    """Where a run asks at one place, the visit's key is for that; where at several, no key stands for another."""
    found = {place: keys.current(place if len(places) > 1 else "") for place in places}
    return {place: secret for place, secret in found.items() if secret is not None}


def _work(job: Job) -> Work:
    """Reads what is the visit's now; the thread has it from then on."""
    plan = plan_of(job)
    secrets = _kept_for(plan.key_places)
    typed = writer_model.base_url()
    visit: Purse = spending.visit()
    work = replay_work if job.kind == REPLAY else work_of

    def parts(made: Plan) -> Parts:
        engine = open_index_of(made)
        own = made.writer  # one of another provider gets neither the key of this one nor its address
        key = secrets.get(own.key_place) if own.needs_key else None
        address = typed if typed and host_of(typed) == host_of(own.base_url) else None
        return engine, open_writer_of(made, engine, key=key, base_url=address)

    def begun(handle: Handle) -> None:
        work(parts, visit)(handle)

    return begun
