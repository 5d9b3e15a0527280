"""What a part of a run has found so far: rows by query, column, mode and sample, appended query by query."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from ir_core.compare import chosen
from ir_core.evaluation import controls
from ir_core.evaluation.job_files import RESULTS, SECONDS, of_part
from ir_core.evaluation.plan import Plan
from ir_core.evaluation.result import Row
from ir_core.evaluation.texts import of_sample
from ir_core.jobs import Job
from ir_core.library import JudgedQuery
from ir_core.schema import Mode

FOLLOWS = frozenset(
    {"query_id", "text", "category", "scores", "latency_s", "unjudged", "rating", "answer", "samples"}
)
"""Fields of a row that are known of the query anyway, or follow from the judgements and other files."""
Rows = Mapping[tuple[str, int], Sequence[Row]]
"""By query id and number of the column, the row of each sample, not scored yet."""


def width(plan: Plan, mode: Mode) -> int:
    """Columns in a mode: the transforms, then the controls."""
    return len(chosen(plan.transforms)) + len(controls.in_mode(plan.controls, mode))


def line_of(query_id: str, column: int, mode: Mode, sample: int, samples: int, row: Row) -> dict[str, Any]:
    """One row as it is kept."""
    own = asdict(row)
    kept = {name: own[name] for name in own if name not in FOLLOWS}
    return {"query": query_id, "column": column, "mode": mode, **of_sample(sample, samples), "row": kept}


def places_found(job: Job, plan: Plan, part: int = 0) -> set[tuple[str, Mode]]:
    """(query id, mode) of which every column is there with all its samples."""
    seen: dict[tuple[str, Mode, int], set[int]] = defaultdict(set)
    whole: dict[tuple[str, Mode], set[int]] = defaultdict(set)
    for line in of_part(job, RESULTS, part).read():
        place, column = (line["query"], line["mode"]), line["column"]
        seen[*place, column].add(line.get("sample", 0))
        if len(seen[*place, column]) == line.get("samples", 1):
            whole[place].add(column)
    return {place for place, columns in whole.items() if len(columns) == width(plan, place[1])}


def is_whole(job: Job, plan: Plan, queries: Sequence[JudgedQuery], part: int = 0) -> bool:
    """Everything of the part was written, searched and timed: nobody need be asked or opened for it."""
    found = places_found(job, plan, part)
    timed = not plan.timed_queries or bool(of_part(job, SECONDS, part).read())
    return timed and all((query.id, mode) in found for query in queries for mode in plan.modes)


def rows_found(job: Job, queries: Sequence[JudgedQuery], mode: Mode, part: int = 0) -> Rows:
    """The rows of one mode as they were found, with their seconds; places that have all their samples."""
    by_id = {query.id: query for query in queries}
    seconds = {
        (one["query"], one["column"], one.get("sample", 0)): one["seconds"]
        for one in of_part(job, SECONDS, part).read()
        if one["mode"] == mode
    }  # fmt: skip
    found: dict[tuple[str, int], dict[int, Row]] = defaultdict(dict)
    samples: dict[tuple[str, int], int] = {}
    for line in of_part(job, RESULTS, part).read():
        if line["mode"] != mode or line["query"] not in by_id:
            continue
        query, column, sample = by_id[line["query"]], line["column"], line.get("sample", 0)
        row = Row(query.id, query.text, query.category, None, **_own(line["row"]))
        samples[query.id, column] = line.get("samples", 1)
        found[query.id, column][sample] = replace(row, latency_s=seconds.get((query.id, column, sample)))
    return {
        place: [rows[number] for number in sorted(rows)]
        for place, rows in found.items()
        if len(rows) == samples[place]
    }


def _own(kept: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in kept.items()}
