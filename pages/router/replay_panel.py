"""The replay that is open: its figures, the queries that lost most, and other thresholds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ir_core.errors import QueryPrismError
from ir_core.evaluation import Plan
from ir_core.evaluation.replay_job import Replayed, replay_of, tables_of
from ir_core.jobs import Job
from ir_core.router import RouteTable, published
from pages._ui import evaluations, resources, run_head, safe
from pages.router import plain_oracle, regret, replay_board, replay_figures, threshold
from pages.router.family import REPLAYS


def show(run_id: str) -> None:
    job = run_head.head(REPLAYS, run_id)
    if job is None:
        return
    state, plan, tables = job.state(), evaluations.plan_of(job), _titled(tables_of(job))
    found: list[Replayed] = resources.replayed(job, "rows", lambda: replay_of(job))
    if not found:
        if not state.is_active:
            safe.notice("info", "No query is through its routes, so there are no figures.")
        return
    lines = list(resources.replayed(job, "lines", lambda: replay_figures.lines(found, tables, plan)))
    _, shown = replay_figures.halves(found)
    problem = ""
    if state.status == "finished":
        plain, problem = resources.replayed(job, "plain", lambda: _plain(job, plan, shown))
        lines += [plain] if plain else []
    replay_board.show(lines, found, shown, plan, job)
    if problem:
        safe.notice("info", f"The oracle over four plain settings cannot be had: {problem}")
    regret.show(job, plan, shown, tables)
    threshold.show(job, found, tables)


def _titled(tables: Mapping[str, RouteTable]) -> dict[str, RouteTable]:
    """A replay keeps tables in one line each, which has no title."""
    known = published()
    return {name: replace(one, title=known[name].title if name in known else name) for name, one in tables.items()}


def _plain(job: Job, plan: Plan, shown: Sequence[Replayed]) -> tuple[Any, str]:
    try:
        return replay_figures.plain_oracle(shown, plain_oracle.values(job, plan, shown)), ""
    except QueryPrismError as error:
        return None, str(error)
