"""Other thresholds of a replay's signal decider: read off what was measured, with no new call and no search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from ir_core.evaluation.replay_job import Replayed
from ir_core.jobs import Job
from ir_core.router import RouteTable
from pages._ui import resources, safe
from pages.router import costs, replay_figures
from pages.router.replay_board import signed
from pages.router.replay_figures import Line

GRID = [step / 10 for step in range(11)]
FINE = [step / 20 for step in range(21)]
HEADS = ("score", "to always-original", "original kept", "calls", "searches")


def show(job: Job, found: Sequence[Replayed], tables: Mapping[str, RouteTable]) -> None:
    safe.heading("Threshold", 3)
    if not any("strength" in one.decision.measured for one in found):
        safe.notice("info", "This replay's decider measures no evidence. Replay with Signal to move its threshold.")
        return
    tune, shown = replay_figures.halves(found)
    name = next(iter(tables))
    table = tables[name]
    chosen = resources.replayed(job, "threshold", lambda: best(tune, table)) if tune else None
    told = "above which the original stays as it is"
    if chosen is not None:
        told += f"; on the tune half {chosen:.2f} scores best (of equals the lowest)"
    safe.draw(f'<p class="qp-facts">{safe.text(f"{table.title}. Evidence {told}. Follow-ups that were condensed")} '
              "keep the second decision of the replay.</p>")  # fmt: skip
    start = float(job.spec["decider"][1].get("threshold", 0.5))
    now = float(st.slider("Threshold", 0.0, 1.0, value=start, step=0.01, key=f"rt.threshold.{job.id}", width=420))
    grid = resources.replayed(job, "grid", lambda: [at(shown, table, one) for one in GRID])
    own = at(shown, table, now)
    rows = {f"{now:.2f}, as set above": own, **{f"{one:.1f}": row for one, row in zip(GRID, grid, strict=True)}}
    if chosen is not None:
        rows = {
            **dict([next(iter(rows.items()))]),
            f"{chosen:.2f}, from the tune half": at(shown, table, chosen),
            **rows,
        }
    safe.draw(costs.table(rows, HEADS, "Thresholds"))


def best(tune: Sequence[Replayed], table: RouteTable) -> float:
    """The threshold with the best mean, of equals the lowest: it asks least."""
    means: dict[float, float] = {}
    for threshold in FINE:
        made = replay_figures.outcomes(replay_figures.with_threshold(tune, threshold), table)
        means[threshold] = sum(one.value for one in made)
    return max(FINE, key=lambda one: (round(means[one], 9), -one))


def at(shown: Sequence[Replayed], table: RouteTable, threshold: float) -> dict[str, str]:
    """One row of the table, in words."""
    held = replay_figures.with_threshold(shown, threshold)
    made: Any = replay_figures.outcomes(held, table)
    line: Line = replay_figures.routed("", held, made, table)
    kept = sum(one.decision.keeps_original for one in held)
    found = line.difference
    between = ""
    if found is not None and found.low is not None:
        between = f" [{signed(found.low)}, {signed(found.high)}]"
    return {
        "score": f"{line.mean:.3f}",
        "to always-original": signed(found.mean if found else None) + between,
        "original kept": f"{kept} of {len(held)}",
        "calls": f"{line.calls:.2f}",
        "searches": f"{line.searches:.2f}",
    }
