"""The judge's pass of an evaluation's job: after everything was searched and timed, list by list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ir_core.budget import Purse, capped
from ir_core.evaluation.asked import Requests, remembering
from ir_core.evaluation.found import rows_found
from ir_core.evaluation.job_files import JUDGED
from ir_core.evaluation.judge_plan import JudgePlan
from ir_core.evaluation.judge_replies import Replies
from ir_core.evaluation.judging import Asked, Asking, Judge, lists_of
from ir_core.evaluation.plan import Plan, WriterPlan
from ir_core.evaluation.telling import Telling
from ir_core.jobs import Handle, Job
from ir_core.library import JudgedQuery
from ir_core.protocols import Writer
from ir_core.retrieval import Engine

Opens = Callable[[Plan], tuple[Engine, Writer]]


def replies_of(job: Job) -> Replies:
    """What a judge has said of this run's lists so far, in all its parts."""
    return Replies(job.lines(JUDGED))


def judge_writer(plan: Plan, judge: JudgePlan) -> WriterPlan:
    """One judge for all parts: its own writer, else that of the first."""
    return judge.writer or plan.writer


def judge_run(
    handle: Handle,
    plan: Plan,
    queries: Sequence[JudgedQuery],
    replies: Replies,
    requests: Requests,
    telling: Telling,
    open_parts: Opens,
    purses: Sequence[Purse],
) -> None:
    """Asks about every list that has no reply yet; each reply is on disk before it counts. Does nothing for a plan
    without a judge, and opens nothing where all is judged.

    :raises Cancelled, CapReached, WriterFails: as ``Asking.each``; what was asked is kept.
    :raises IndexProblem, BadSetting: when an index is gone, or the judge's writer cannot be opened.
    """
    judge = plan.judge
    if judge is None:
        return
    parts = plan.parts()
    lists = [_lists(handle.job, part, queries, judge, number) for number, part in enumerate(parts)]
    total, before = sum(map(len, lists)), 0
    telling.judged(0, total)
    for part, own in zip(parts, lists, strict=True):
        if own:
            engine, writer = open_parts(replace(part, writer=judge_writer(plan, judge)))
            if callable(warm := getattr(writer, "warm", None)):
                warm()
            writer = capped(remembering(writer, requests, handle.cancel), *purses)
            asking = Asking(engine, Judge(writer, judge), replies, handle.cancel, handle.give_up)
            for done in asking.each(own):
                telling.judged(before + done, total)
        before += len(own)
        telling.judged(before, total)


def _lists(job: Job, part: Plan, queries: Sequence[JudgedQuery], judge: JudgePlan, number: int) -> list[Asked]:
    """In the order of the queries; a list that two modes found is one."""
    found = [rows_found(job, queries, mode, number) for mode in part.modes]
    places = sorted({place[1] for rows in found for place in rows})
    rows = (
        row
        for query in queries
        for of_mode in found
        for column in places
        for row in of_mode.get((query.id, column), ())
    )
    return lists_of(part.index, {query.id: query for query in queries}, rows, judge.k)
