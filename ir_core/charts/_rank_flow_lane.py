"""The lane under the first k: where a document that was retrieved, but too far down, is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ir_core.analysis.rank_flow import Line
from ir_core.charts.palette import Palette

GAP = 1.15
"""Rows between the k-th place and the first of the lane."""
STEP_PX, MOST_PX = 34.0, 340.0


class Lane:
    """Heights in rows. In each column the documents below k stand in the order of their real ranks, one under the
    other; where there are many, closer, until the lane is as high as may be. False where nothing is below k."""

    def __init__(self, lines: Sequence[Line], k: int, n_columns: int, row_px: int) -> None:
        self.k = k
        self._y: dict[tuple[str, int], float] = {}
        columns = [
            sorted((place, line.artifact_id) for line in lines if (place := line.places[column]) and place > k)
            for column in range(n_columns)
        ]
        most = max(map(len, columns), default=0)
        self.step = min(STEP_PX, MOST_PX / max(1, most)) / row_px
        self.crowded = STEP_PX * most > MOST_PX
        for column, below in enumerate(columns):
            for number, (_, name) in enumerate(below):
                self._y[name, column] = self.top + number * self.step
        self.bottom = self.top + self.step * max(0, most - 1) + 0.7 if most else k + 0.7

    def __bool__(self) -> bool:
        return bool(self._y)

    @property
    def top(self) -> float:
        return self.k + GAP

    def y(self, line: Line, column: int) -> float | None:
        """Where a document is drawn in a column; None where it was not retrieved."""
        rank = line.ranks[column]
        return float(rank) if rank else self._y.get((line.artifact_id, column))

    def shapes(self, palette: Palette) -> list[dict[str, Any]]:
        """The line that parts the lane from the first k."""
        if not self:
            return []
        edge = self.k + GAP / 2
        line = {"color": palette.muted, "width": 1, "dash": "dash"}
        return [{"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": edge, "y1": edge, "line": line}]
