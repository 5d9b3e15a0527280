"""A run read back from its files: the same ``Evaluation`` that the headless one gives, of what is there so far."""

from __future__ import annotations

from dataclasses import replace

from ir_core.compare import chosen
from ir_core.evaluation import controls
from ir_core.evaluation.groups import groups_of_queries
from ir_core.evaluation.job import RESULTS, SECONDS, asked_of, queries_of
from ir_core.evaluation.plan import Plan
from ir_core.evaluation.result import Column, Evaluation, Excluded, Row
from ir_core.evaluation.rows import scored
from ir_core.jobs import Job
from ir_core.params import values_of
from ir_core.schema import Mode


def evaluation_of(job: Job, mode: Mode) -> Evaluation:
    """Of one retrieval mode; queries that are not through all transforms yet are not in it.

    :raises BadInput: when its files cannot be read.
    """
    plan, asked = Plan.from_json(job.spec), asked_of(job)
    transforms = chosen(plan.transforms)
    found = {(one["query"], one["column"]): one["row"] for one in job.lines(RESULTS).read() if one["mode"] == mode}
    seconds = {
        (one["query"], one["column"]): one["seconds"]
        for one in job.lines(SECONDS).read()
        if one["mode"] == mode
    }  # fmt: skip
    settings = plan.settings(mode)
    heads = [(one.name, one.label, values_of(one)) for one in transforms]
    heads += [
        (controls.NAME, controls.CONTROLS[leg], controls.changed(leg, settings))
        for leg in controls.in_mode(plan.controls, mode)
    ]
    slots = range(len(heads))
    done = [query for query in queries_of(job) if all((query.id, slot) in found for slot in slots)]
    columns = []
    for slot, head in enumerate(heads):
        rows = []
        for query in done:
            own = found[query.id, slot]
            own = {name: tuple(value) if isinstance(value, list) else value for name, value in own.items()}
            rows.append(Row(query.id, query.text, query.category, None, **own))
        rows = [
            replace(row, latency_s=seconds.get((row.query_id, slot)))
            for row in scored(rows, plan.wanted, asked["qrels"])
        ]
        columns.append(Column(*head, tuple(rows)))
    return Evaluation(
        measures=plan.measures,
        columns=tuple(columns),
        excluded=tuple(Excluded(**one) for one in asked["excluded"]),
        missing_gold=tuple(asked["missing_gold"]),
        config={"mode": mode, "k": settings.k, "depth": settings.read_depth},
        seconds=job.last_state().seconds,
        groups=groups_of_queries(done, asked["qrels"]),
    )
