"""Another run beside this one, mode by mode."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ir_core.cli._tables import Cell, plain, table
from ir_core.errors import BadInput

if TYPE_CHECKING:
    from ir_core.evaluation import Evaluation, Plan
    from ir_core.evaluation.overview import Place
    from ir_core.library import JudgedQuery

HOW = "Only queries that both scored; a paired bootstrap at 95 %, not corrected and no test."


def check_beside(plan: Plan, queries: Iterable[JudgedQuery], other: str) -> None:
    """Before anything is asked: whether a run by that plan can have anything in common with the other one.

    :raises BadInput: when there is no such run, or nothing that both could have.
    """
    from ir_core.export import run_files
    from ir_core.jobs import JobStore

    ids, transforms = {one.id for one in queries}, {name for name, _ in plan.transforms}
    for one in run_files.found_in(JobStore().get(other)).values():
        common = (column.rows for column in one.columns if column.transform in transforms)
        if set(plan.measures) & set(one.measures) and any(row.query_id in ids for rows in common for row in rows):
            return
    raise _nothing(other)


def _nothing(other: str) -> BadInput:
    return BadInput(f"The run {other} has no transform, measure and query in common with this one.")


def beside_of(plan: Plan, found: Mapping[Place, Evaluation], other: str) -> tuple[list[dict[str, Any]], str]:
    """As JSON and as text: every part and mode of this run beside the other's first part in the same mode, or in its
    own first mode.

    :raises BadInput: when there is no such run, or nothing that both have.
    """
    from ir_core.evaluation.beside import beside, shared_measure
    from ir_core.evaluation.shown import shown, shown_difference
    from ir_core.export import run_files
    from ir_core.jobs import JobStore

    theirs = run_files.found_in(JobStore().get(other))
    data: list[dict[str, Any]] = []
    rows: list[list[Cell]] = []
    for (number, mode), one in found.items():
        place = next((at for at in theirs if at == (0, mode)), next(iter(theirs)))
        measure = shared_measure(one, theirs[place])
        if measure is None:
            continue
        for line in beside(one, theirs[place], measure):
            column = one.columns[line.slot]
            where = {"part": number, "mode": mode, "other_part": place[0], "other_mode": place[1]}
            data.append({**where, "transform": column.transform, "measure": measure, **asdict(line)})
            low, high = (shown_difference(measure, edge) for edge in (line.apart.low, line.apart.high))
            rows.append([
                column.titles[0] if column.titles else column.label, plain(plan.parts()[number].part_name),
                f"{mode} / {place[1]}", measure, shown(measure, line.own), shown(measure, line.other),
                f"{shown_difference(measure, line.apart.mean)} [{low}, {high}]",
                f"{line.apart.wins}/{line.apart.ties}/{line.apart.losses}", line.n,
            ])  # fmt: skip
    if not rows:
        raise _nothing(other)
    figures = ["this run", "other run", "this - other", "won/tied/lost", "n"]
    head = ["transform", "part", "mode / other's", "measure", *figures]
    return data, f"{table(head, rows)}\n{HOW}"
