"""A run as files, all its parts and modes in each: a table of every query, all of it as JSON, TREC runs, a report."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from ir_core.budget import Spent, dollars
from ir_core.evaluation import Evaluation, Plan, evaluation_of, part_states
from ir_core.evaluation.job import asked_of
from ir_core.evaluation.meanings import MEANINGS
from ir_core.evaluation.overview import Place
from ir_core.export.csv_table import csv_file
from ir_core.export.report import to_report
from ir_core.export.trec_zip import to_trec_zip
from ir_core.jobs import Job
from ir_core.text import slug

SCHEMA_VERSION = 1


def run_csv(job: Job) -> bytes:
    """One line per query, transform, mode and part."""
    plan = Plan.from_json(job.spec)
    head = (
        "part", "strategy", "index", "writer", "mode", "transform", "title", "query_id", "query", "category",
        *plan.measures, "fell_back", "skipped", "error", "calls", "cost_usd", "seconds", "answer_rank", "unjudged",
        "retrieved",
    )  # fmt: skip
    return csv_file(head, _lines(job, plan))


def _lines(job: Job, plan: Plan) -> Iterator[Sequence[Any]]:
    parts = plan.parts()
    for (number, mode), found in found_in(job).items():
        part = parts[number]
        own = (number + 1, part.strategy, part.index, part.writer.label or part.writer.name, mode)
        for column in found.columns:
            for row in column.rows:
                scores = [(row.scores or {}).get(name) for name in plan.measures]
                yield (
                    *own, column.transform, row.title, row.query_id, row.text, row.category, *scores,
                    row.fallback_reason, row.skip_reason, row.error, row.calls, row.cost_usd, row.latency_s,
                    row.answer_rank, row.unjudged, " ".join(row.retrieved),
                )  # fmt: skip


def run_json(job: Job) -> bytes:
    """The plan, the state, and per mode what ``query-prism evaluate --json`` has: under "modes" of a run of one part,
    else in "parts", a list in the order of ``Plan.parts``."""
    plan = Plan.from_json(job.spec)
    found = {place: one.to_json() for place, one in found_in(job).items()}
    states = part_states(job)
    parts = [
        {
            "name": part.part_name, "strategy": part.strategy, "index": part.index, "writer": asdict(part.writer),
            "done": states[number].done if states else job.state().done, "why": states[number].why if states else "",
            "modes": {mode: found[number, mode] for mode in plan.modes},
        }
        for number, part in enumerate(plan.parts())
    ]  # fmt: skip
    data = {
        "schema_version": SCHEMA_VERSION,
        "run": job.id,
        "title": job.title,
        "created": job.created,
        "primary_measure": plan.measures[0],
        "plan": plan.to_json(),
        "state": job.state().to_json(),
        **({"parts": parts} if plan.also else {"modes": parts[0]["modes"]}),
    }
    return json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False).encode("utf-8", "replace")


def run_trec(job: Job) -> bytes:
    """A zip of the judgements and a TREC run per transform and mode; each of several parts has a folder."""
    names = [f"{number}-{slug(part.part_name)}/" for number, part in enumerate(_parts(job), start=1)]
    found = {f"{names[number] if len(names) > 1 else ''}{mode}": one for (number, mode), one in found_in(job).items()}
    return to_trec_zip(found, asked_of(job)["qrels"])


def run_html(job: Job) -> bytes:
    """A page of its own: figures, evidence, categories and every query; see ``to_report``."""
    names = [f"{number}. {part.part_name} · " for number, part in enumerate(_parts(job), start=1)]
    found = {f"{names[number] if len(names) > 1 else ''}{mode}": one for (number, mode), one in found_in(job).items()}
    missing = [f"{one.name}: {one.done} of {one.total} queries. {one.why}" for one in part_states(job)]
    return to_report(job.title, [*_facts(job), *missing], found, MEANINGS).encode("utf-8", "replace")


def found_in(job: Job) -> dict[Place, Evaluation]:
    """What is there so far, by part and mode."""
    plan = Plan.from_json(job.spec)
    return {
        (number, mode): evaluation_of(job, mode, number) for number in range(len(plan.parts())) for mode in plan.modes
    }


def _facts(job: Job) -> list[str]:
    """What was measured, by whom and when; how far it is and what it took."""
    plan, state = Plan.from_json(job.spec), job.state()
    parts, total = plan.parts(), state.details.get("queries", state.total)
    told = f"{state.status}: {min(state.done, total):,} of {total:,} queries"
    if state.details.get("spent"):
        spent = Spent(**state.details["spent"])
        unknown = f", the cost of {spent.unpriced:,} unknown" if spent.unpriced else ""
        told += f", calls to models: {spent.calls:,}, {dollars(spent.cost_usd)}{unknown}"
    return [
        f"corpus {plan.corpus}, {plan.asked_words}",
        f"index {', '.join(dict.fromkeys(part.index for part in parts))}",
        f"writer {', '.join(dict.fromkeys(part.writer.label or part.writer.name for part in parts))}",
        *([f"filter {json.dumps(plan.filter, ensure_ascii=False)}"] if plan.filter else []),
        *([f"only {', '.join(plan.surfaces)}"] if plan.surfaces else []),
        f"primary measure, named before the run: {plan.measures[0]}",
        f"run {job.id}, begun {job.created[:10]} {job.created[11:16]} UTC",
        told,
    ]


def _parts(job: Job) -> list[Plan]:
    return Plan.from_json(job.spec).parts()
