"""The judge's part of a headless evaluation: every list read, and the columns with what was said."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace

from ir_core.errors import CapReached, WriterFails
from ir_core.evaluation.judge_replies import Replies
from ir_core.evaluation.judging import Asking, Judge, lists_of
from ir_core.evaluation.result import Column
from ir_core.evaluation.verdicts import Judging, Verdicts
from ir_core.library import JudgedQuery
from ir_core.protocols import OnProgress, Progress, Timer
from ir_core.retrieval import Engine


def judge_columns(
    engine: Engine,
    columns: Sequence[Column],
    queries: Sequence[JudgedQuery],
    judge: Judge,
    *,
    cancel: threading.Event,
    on_progress: OnProgress | None = None,
) -> tuple[list[Column], Judging]:
    """The columns, scored before, with the judge's measures. What a judge that fails or a cap left open is "not
    measured": the rest of the figures was paid for.

    :raises Cancelled: once ``cancel`` is set.
    """
    index, by_id, replies = engine.index.manifest.fingerprint, {query.id: query for query in queries}, Replies()
    rows = [row for number in range(len(queries)) for row in (column.rows[number] for column in columns)]
    lists, timer = lists_of(index, by_id, rows, judge.plan.k), Timer()
    why = None
    try:
        for done in Asking(engine, judge, replies, cancel, cancel).each(lists):
            if on_progress:
                on_progress(Progress("lists judged", done, len(lists), timer.seconds / done * (len(lists) - done)))
    except (CapReached, WriterFails) as error:
        why = str(error)
    verdicts = Verdicts(index, by_id, judge.plan, replies)
    made = [replace(column, rows=verdicts.into(column.rows)) for column in columns]
    told = verdicts.judging(judge.writer.label, [row for column in made for row in column.rows])
    return made, replace(told, why=why or told.why)
