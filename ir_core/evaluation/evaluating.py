"""Transforms measured on judged queries, each against the original on the same queries."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace

from ir_core.compare import Choice, chosen
from ir_core.errors import BadInput
from ir_core.evaluation import controls as doubled
from ir_core.evaluation import measures as measuring
from ir_core.evaluation.groups import groups_of_queries
from ir_core.evaluation.judge_now import judge_columns
from ir_core.evaluation.judge_plan import with_judge
from ir_core.evaluation.judged import judged_queries, missing_gold
from ir_core.evaluation.judging import Judge
from ir_core.evaluation.measures import DEFAULT_MEASURES, Qrels
from ir_core.evaluation.oddities import why_none
from ir_core.evaluation.plan import TIMED_QUERIES
from ir_core.evaluation.result import Column, Evaluation
from ir_core.evaluation.rows import row_of, scored
from ir_core.evaluation.run import Run
from ir_core.evaluation.sampling import SAMPLES
from ir_core.evaluation.writing import write_all
from ir_core.library import JudgedQuery
from ir_core.params import values_of
from ir_core.protocols import OnProgress, Timer, Writer
from ir_core.retrieval import Engine, SearchSettings
from ir_core.schema import Leg


def evaluate(
    engine: Engine,
    queries: Sequence[JudgedQuery],
    qrels: Qrels,
    *,
    transforms: Sequence[Choice],
    writer: Writer,
    settings: SearchSettings,
    measures: Sequence[str] = DEFAULT_MEASURES,
    timed_queries: int = TIMED_QUERIES,
    on_progress: OnProgress | None = None,
    cancel: threading.Event | None = None,
    use_cache: bool = True,
    controls: Sequence[Leg] = (),
    authored: bool = False,
    judge: Judge | None = None,
    samples: int = SAMPLES,
) -> Evaluation:
    """Every judged query through every transform, the original first whether it was named or not.

    The list that is measured is the fused one, read to the largest cut-off (``settings.k`` is set to it). A query
    without judgements is left out by name; a judged one always gets a score, 0 when nothing was retrieved.

    :param timed_queries: how many queries are also searched alone, to measure seconds; 0 for none.
    :param controls: legs whose list is doubled, each in a column of its own after the transforms; in hybrid only.
    :param authored: let authored examples be measured, for the gate's table, which calls them so.
    :param samples: texts of each query where a model writes at a temperature above 0; they are averaged.
    :param judge: reads the first hits of every list; its measures join the others.
    :raises UnknownName, BadSetting, BadFilter: before anything starts.
    :raises WriterFails: when the first calls to a model all fail.
    :raises BadInput: when none of the queries can be measured, with the reason.
    :raises Cancelled: once ``cancel`` is set.
    """
    timer = Timer()
    cancel = cancel or threading.Event()
    columns = chosen(transforms)
    wanted = [measuring.parse(name) for name in with_judge(measures, judge.plan if judge else None)]
    settings = replace(settings, k=max((measure.cutoff for measure in wanted), default=settings.k))
    settings.check_kinds(engine.index.manifest.kinds)
    engine.index.allowed(settings.filter, settings.surfaces)
    judged, excluded = judged_queries(queries, qrels)
    if not judged:
        raise BadInput(why_none(queries, qrels))
    run = Run(Engine(engine.index, engine.embedder, engine.reranker), settings, columns, wanted, qrels, cancel)
    texts = write_all(
        run.engine, judged, columns, writer, settings, cancel, use_cache=use_cache, authored=authored, samples=samples
    )
    rows = list(run.rows(judged, texts, timed_queries, on_progress))
    made = [
        Column(transform.name, transform.label, values_of(transform), tuple(row[slot] for row in rows))
        for slot, transform in enumerate(columns)
    ]
    for leg in doubled.in_mode(doubled.checked(controls), settings.mode):
        searched = doubled.search_control(run.engine, judged, leg, settings)
        found = [row_of(query, one) for query, one in zip(judged, searched, strict=True)]
        made.append(
            Column(
                doubled.NAME, doubled.CONTROLS[leg], doubled.changed(leg, settings),
                tuple(scored(found, wanted, qrels)),
            )
        )  # fmt: skip
    judging = None
    if judge:
        made, judging = judge_columns(run.engine, made, judged, judge, cancel=cancel, on_progress=on_progress)
    held = set(engine.index.artifact_ids)
    return Evaluation(
        measures=tuple(measure.name for measure in wanted),
        columns=tuple(made),
        excluded=tuple(excluded),
        missing_gold=tuple(missing_gold((query.id for query in judged), qrels, held)),
        config={"k": settings.k, "depth": settings.read_depth},
        seconds=timer.seconds,
        groups=groups_of_queries(judged, qrels),
        judging=judging,
    )
