"""An evaluation as a job: what is written and found goes to disk query by query, and is never asked for twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from ir_core.budget import Cap
from ir_core.errors import BadInput
from ir_core.evaluation.job_files import JUDGED, QUERIES, TEXTS, asked_of, of_part, queries_of
from ir_core.evaluation.judged import judged_queries, missing_gold
from ir_core.evaluation.judging_job import judge_writer
from ir_core.evaluation.measures import Qrels
from ir_core.evaluation.oddities import why_none
from ir_core.evaluation.parts_job import WAY_OUT, Parts, work_of
from ir_core.evaluation.plan import Part, Plan, WriterPlan, in_split
from ir_core.evaluation.texts import TAKEN
from ir_core.jobs import Job, JobStore
from ir_core.library import JudgedQuery

__all__ = ["KIND", "QUERIES", "WAY_OUT", "Parts", "again", "asked_of", "create", "queries_of", "with_cap", "work_of"]

KIND = "evaluation"
Held = Collection[str] | Mapping[str, Collection[str]]
"""Ids of the documents of an index; or of several, by the index' fingerprint."""


def create(
    plan: Plan,
    queries: Sequence[JudgedQuery],
    qrels: Qrels,
    *,
    title: str,
    store: JobStore,
    held: Held | None = None,
) -> Job:
    """The job, not begun yet. Queries outside the plan's split are left out here.

    :param held: what the index holds, or each of several; judged documents that it lacks are named in the result.
    :raises BadInput: when none of the queries can be measured, with the reason.
    """
    wanted = in_split(queries, plan.split)
    judged, excluded = judged_queries(wanted, qrels)
    if not judged:
        where = "" if plan.split == "all" else f" Only the split {plan.split!r} was asked for."
        raise BadInput(why_none(wanted, qrels) + where)
    ids = [query.id for query in judged]
    held_by = [held.get(one.index) if isinstance(held, Mapping) else held for one in plan.parts()]
    lacking = [[] if one is None else missing_gold(ids, qrels, one) for one in held_by]
    asked = {
        "queries": [asdict(query) for query in judged],
        "qrels": {query.id: dict(qrels[query.id]) for query in judged},
        "excluded": [asdict(item) for item in excluded],
        "missing_gold": lacking[0],
        "missing_gold_by_part": lacking,
    }
    return store.create(KIND, plan.to_json(), title=title, needs_key=plan.needs_key, files={QUERIES: asked})


def again(job: Job, plan: Plan, *, store: JobStore) -> Job:
    """A new job over the same queries that searches ``job``'s texts otherwise: other modes, measures or weights, or
    with (another) judge, who is not asked again about what is known. What ``job`` spent is not counted again.

    :raises BadInput: when the plan asks for other texts than ``job`` has.
    """
    before = Plan.from_json(job.spec)
    same = replace(
        before, modes=plan.modes, measures=plan.measures, dense_weight=plan.dense_weight,
        lexical_weight=plan.lexical_weight, max_calls=plan.max_calls, max_usd=plan.max_usd, judge=plan.judge,
    )  # fmt: skip
    if same != plan:
        raise BadInput(
            "Only modes, measures, weights and the judge can change while the texts stay. Start a new run instead."
        )
    if plan.judge and plan.judge.writer is None:  # whoever has no text to write any more still has to judge
        plan = replace(plan, judge=replace(plan.judge, writer=plan.writer))
    asked = asked_of(job)
    texts = [of_part(job, TEXTS, number).read() for number in range(len(plan.parts()))]
    places = len(asked["queries"]) * len(plan.transforms)
    writers = [
        _asked_no_more(part.writer) if _n_written(lines) == places else part.writer
        for part, lines in zip(plan.parts(), texts, strict=True)
    ]
    also = [Part(one.index, one.strategy, writer) for one, writer in zip(plan.also, writers[1:], strict=True)]
    plan = replace(plan, writer=writers[0], also=tuple(also))
    new = store.create(KIND, plan.to_json(), title=job.title, needs_key=plan.needs_key, files={QUERIES: asked})
    for number, lines in enumerate(texts):
        copied = of_part(new, TEXTS, number)
        copied.append(*({**line, TAKEN: True} for line in lines))
        copied.close()
    if _judges_alike(before, plan):
        said = new.lines(JUDGED)
        said.append(*({**line, TAKEN: True} if "list" in line else line for line in job.lines(JUDGED).read()))
        said.close()
    return new


def with_cap(job: Job, max_calls: int | None, max_usd: float | None) -> Job:
    """The job with another cap from now on.

    :raises BadSetting: for one below 0.
    """
    plan = replace(Plan.from_json(job.spec), max_calls=max_calls, max_usd=max_usd)
    Cap(max_calls, max_usd)
    changed = replace(job, spec=plan.to_json())
    changed.write()
    return changed


def _judges_alike(before: Plan, plan: Plan) -> bool:
    """A list that was rated for the one is rated for the other."""
    own, other = before.judge, plan.judge
    if own is None or other is None or judge_writer(before, own) != judge_writer(plan, other):
        return False
    return (own.k, own.reference) == (other.k, other.reference)


def _n_written(lines: Sequence[Mapping[str, Any]]) -> int:
    """Places (query and column) that have all their samples."""
    wanted = {(line["query"], line["column"]): line.get("samples", 1) for line in lines}
    there = Counter(place for place, _ in {((one["query"], one["column"]), one.get("sample", 0)) for one in lines})
    return sum(there[place] == n for place, n in wanted.items())


def _asked_no_more(writer: WriterPlan) -> WriterPlan:
    """Nobody is asked, so no key is needed."""
    return replace(writer, needs_key=False)
