"""A run as files: a table of every query under every transform, and all of it as JSON."""

from __future__ import annotations

import csv
import io
import json

from ir_core.evaluation import Plan, evaluation_of
from ir_core.jobs import Job
from pages._ui import safe

SCHEMA_VERSION = 1


def to_csv(job: Job) -> bytes:
    """One line per query, transform and mode. With a byte-order mark, without which spreadsheets take UTF-8 for
    something else."""
    plan = Plan.from_json(job.spec)
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([
        "mode", "transform", "title", "query_id", "query", "category", *plan.measures, "fell_back", "skipped",
        "error", "calls", "cost_usd", "seconds", "retrieved",
    ])  # fmt: skip
    for mode in plan.modes:
        for column in evaluation_of(job, mode).columns:
            for row in column.rows:
                scores = [(row.scores or {}).get(name, "") for name in plan.measures]
                line = [
                    mode, column.transform, row.title, row.query_id, row.text, row.category or "", *scores,
                    row.fallback_reason or "", row.skip_reason or "", row.error or "", row.calls,
                    "" if row.cost_usd is None else row.cost_usd, "" if row.latency_s is None else row.latency_s,
                    " ".join(row.retrieved),
                ]  # fmt: skip
                writer.writerow([safe.cell(value) for value in line])
    return ("\ufeff" + out.getvalue()).encode("utf-8", "replace")


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
