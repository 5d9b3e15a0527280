"""Headless evaluation: judged queries through every transform, measured against the original on the same list length.

``evaluate`` gives an ``Evaluation``: a row per query and transform, from which ``Evaluation.summary`` makes means,
paired differences with a 95 % interval, wins and losses, fallback rate, seconds and cost, over all queries or some.

The same as a job that goes on after a kill::

    job = create(Plan("help_center", index, transforms), queries, qrels, title="Help centre", store=JobStore())
    Runner().start(job, work_of(open_parts))            # open_parts(plan) gives the engine and the writer
    evaluation_of(job, "hybrid")                        # an Evaluation, of what is there so far

Several indexes and writers are one job with several parts, each measured apart::

    plan = plan.crossed([(whole, "Whole text"), (chunks, "Chunks")], [WriterPlan("corpus"), WriterPlan("openai/…")])
    [part.part_name for part in plan.parts()]           # "Whole text · corpus", …
    evaluation_of(job, "hybrid", part=3); part_states(job)   # figures of one; how far each is, and what it lacks
"""

from __future__ import annotations

from ir_core.evaluation.cut_off import cut_off, cut_off_said
from ir_core.evaluation.estimating import estimate_plan, estimate_run
from ir_core.evaluation.evaluating import evaluate
from ir_core.evaluation.evidence import Evidence
from ir_core.evaluation.intervals import SMALL_N, Difference, paired
from ir_core.evaluation.job import KIND, again, create, with_cap, work_of
from ir_core.evaluation.judge_plan import JudgePlan
from ir_core.evaluation.judged import judged_queries
from ir_core.evaluation.judging import Judge
from ir_core.evaluation.measures import DEFAULT_MEASURES, Measure, parse, score
from ir_core.evaluation.opening import open_index_of, open_writer_of
from ir_core.evaluation.plan import SPLITS, Part, Plan, WriterPlan, in_split, writer_address
from ir_core.evaluation.reading import evaluation_of
from ir_core.evaluation.result import Column, Evaluation, Excluded, Row, Summary
from ir_core.evaluation.sampling import SAMPLES
from ir_core.evaluation.telling import PartState, part_states

__all__ = [
    "DEFAULT_MEASURES",
    "KIND",
    "SAMPLES",
    "SMALL_N",
    "SPLITS",
    "Column",
    "Difference",
    "Evaluation",
    "Evidence",
    "Excluded",
    "Judge",
    "JudgePlan",
    "Measure",
    "Part",
    "PartState",
    "Plan",
    "Row",
    "Summary",
    "WriterPlan",
    "again",
    "create",
    "cut_off",
    "cut_off_said",
    "estimate_plan",
    "estimate_run",
    "evaluate",
    "evaluation_of",
    "in_split",
    "judged_queries",
    "open_index_of",
    "open_writer_of",
    "paired",
    "parse",
    "part_states",
    "score",
    "with_cap",
    "work_of",
    "writer_address",
]
