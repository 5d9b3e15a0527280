"""A run as files: a table of every query under every transform, all of it as JSON, TREC runs, and a report."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from ir_core.evaluation import Evaluation, Plan, evaluation_of
from ir_core.evaluation.job import asked_of
from ir_core.export.report import to_report
from ir_core.export.trec_zip import to_trec_zip
from ir_core.jobs import Job
from pages._ui import run_words
from pages._ui.csv_file import csv_file
from pages.evaluate import words

SCHEMA_VERSION = 1


def to_csv(job: Job) -> bytes:
    """One line per query, transform and mode."""
    plan = Plan.from_json(job.spec)
    head = (
        "mode", "transform", "title", "query_id", "query", "category", *plan.measures, "fell_back", "skipped",
        "error", "calls", "cost_usd", "seconds", "answer_rank", "unjudged", "retrieved",
    )  # fmt: skip
    return csv_file(head, _lines(job, plan))


def _lines(job: Job, plan: Plan) -> Iterator[Sequence[Any]]:
    for mode in plan.modes:
        for column in evaluation_of(job, mode).columns:
            for row in column.rows:
                scores = [(row.scores or {}).get(name) for name in plan.measures]
                yield (
                    mode, column.transform, row.title, row.query_id, row.text, row.category, *scores,
                    row.fallback_reason, row.skip_reason, row.error, row.calls, row.cost_usd, row.latency_s,
                    row.answer_rank, row.unjudged, " ".join(row.retrieved),
                )  # fmt: skip


def to_json(job: Job) -> bytes:
    """The plan, the state, and per mode what ``query-prism evaluate --json`` has."""
    plan = Plan.from_json(job.spec)
    data = {
        "schema_version": SCHEMA_VERSION,
        "run": job.id,
        "title": job.title,
        "created": job.created,
        "primary_measure": plan.measures[0],
        "plan": plan.to_json(),
        "state": job.state().to_json(),
        "modes": {mode: evaluation_of(job, mode).to_json() for mode in plan.modes},
    }
    return json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False).encode("utf-8", "replace")


def to_trec(job: Job) -> bytes:
    """A zip of the judgements and a TREC run per transform and mode."""
    return to_trec_zip(_by_mode(job), asked_of(job)["qrels"])


def to_html(job: Job) -> bytes:
    """A page of its own: figures, evidence, categories and every query."""
    plan = Plan.from_json(job.spec)
    facts = [
        words.about(job, plan), f"corpus {plan.corpus}, index {plan.index}", f"run {job.id}",
        f"primary measure, named before the run: {plan.measures[0]}", run_words.progress(job.state()),
    ]  # fmt: skip
    return to_report(job.title, facts, _by_mode(job), words.MEANINGS).encode("utf-8", "replace")


def _by_mode(job: Job) -> dict[str, Evaluation]:
    return {mode: evaluation_of(job, mode) for mode in Plan.from_json(job.spec).modes}
