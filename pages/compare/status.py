"""How far a comparison is, in one line above its cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ir_core.writers import LOCAL
from ir_core.writers.local import waiting
from pages._ui import numbers, safe
from pages._ui.jobs import BY_HAND, LEFT, NEWER
from pages.compare.running import PATIENCE_S

if TYPE_CHECKING:
    from pages.compare.results import Board

STOPPED = {
    BY_HAND: "stopped",
    NEWER: "stopped by a newer question",
    LEFT: f"stopped, because nothing followed it for {PATIENCE_S:.0f} s",
}


def waits(writer: str) -> int:
    """Requests that wait for the one local model, where that is who writes."""
    return waiting() if writer == LOCAL else 0


def status_of(board: Board) -> str:
    if not board.job.events and not board.job.is_over:
        return _headed("getting ready: the model and the statistics of the corpus are loaded once")
    total, done = len(board.names), len(board.results)
    fell = sum(result.formulation.fell_back for result in board.results.values())
    parts = [f"{done} of {total} finished"]
    if fell:
        parts.append(f"{fell} fell back")
    if board.failures:
        parts.append(f"{len(board.failures)} failed")
    if board.job.is_over and board.job.stopped and done < total:
        parts.append(STOPPED[board.job.stopped])
    if not board.job.is_over and (n := waits(board.job.asked.asked.writer.name)):
        said = numbers.count(n, "text waits", "texts wait")
        parts.append(f"{said} for the one local model; visits take turns")
    if done == total:
        slowest = max(result.trace.latency_s for result in board.results.values())
        parts.append(f"slowest {numbers.seconds(slowest)}")
    return _headed(" · ".join(parts))


def _headed(said: str) -> str:
    return (
        '<div class="qp-status"><h2 class="qp-h2">Side by side</h2>'
        f'<p class="qp-facts" role="status">{safe.text(said)}</p></div>'
    )
