"""A run read back from its files: the same ``Evaluation`` that the headless one gives, of what is there so far."""

from __future__ import annotations

from dataclasses import replace

from ir_core.compare import chosen
from ir_core.errors import BadInput
from ir_core.evaluation import controls
from ir_core.evaluation.averaging import measured
from ir_core.evaluation.found import rows_found
from ir_core.evaluation.groups import groups_of_queries
from ir_core.evaluation.job_files import asked_of, queries_of
from ir_core.evaluation.judging_job import judge_writer, replies_of
from ir_core.evaluation.plan import Plan
from ir_core.evaluation.result import Column, Evaluation, Excluded
from ir_core.evaluation.verdicts import Verdicts
from ir_core.jobs import Job
from ir_core.params import values_of
from ir_core.schema import Mode


def evaluation_of(job: Job, mode: Mode, part: int = 0) -> Evaluation:
    """Of one retrieval mode of one part; queries that are not through all transforms yet are not in it.

    :param part: its number in ``Plan.parts()``.
    :raises BadInput: when its files cannot be read, or it has no such part.
    """
    parts = Plan.from_json(job.spec).parts()
    if not 0 <= part < len(parts):
        raise BadInput(f"The run {job.id} has no part {part}; it has {len(parts)}, counted from 0.")
    plan, asked = parts[part], asked_of(job, part)
    settings = plan.settings(mode)
    heads = [(one.name, one.label, values_of(one)) for one in chosen(plan.transforms)]
    heads += [
        (controls.NAME, controls.CONTROLS[leg], controls.changed(leg, settings))
        for leg in controls.in_mode(plan.controls, mode)
    ]
    queries = queries_of(job)
    found = rows_found(job, queries, mode, part)
    done = [query for query in queries if all((query.id, slot) in found for slot in range(len(heads)))]
    columns = [
        Column(*head, tuple(measured([found[query.id, slot] for query in done], plan.wanted, asked["qrels"])))
        for slot, head in enumerate(heads)
    ]
    judging = None
    if plan.judge:
        verdicts = Verdicts(plan.index, {query.id: query for query in done}, plan.judge, replies_of(job))
        columns = [replace(one, rows=verdicts.into(one.rows)) for one in columns]
        by = judge_writer(parts[0], plan.judge)
        judging = verdicts.judging(by.label or by.name, [row for one in columns for row in one.rows])
    return Evaluation(
        measures=plan.measures,
        columns=tuple(columns),
        excluded=tuple(Excluded(**one) for one in asked["excluded"]),
        missing_gold=tuple(asked["missing_gold"]),
        config={
            "mode": mode,
            "k": settings.k,
            "depth": settings.read_depth,
            **({"filter": dict(plan.filter)} if plan.filter else {}),
            **({"surfaces": list(plan.surfaces)} if plan.surfaces else {}),
        },
        seconds=job.last_state().seconds,
        groups=groups_of_queries(done, asked["qrels"]),
        judging=judging,
    )
