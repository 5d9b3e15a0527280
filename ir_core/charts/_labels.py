"""Names over their bars instead of beside them: a narrow screen then has all its width for what is measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

HEIGHT = 20
"""Pixels that a name takes of its row."""


def over_bars(
    figure: Any, names: Sequence[str], ink: str, at: Sequence[float] | None = None, shift: int = 10, size: int = 13
) -> None:
    """Write them as annotations: tick labels inside a figure would hide the other axis' ticks below them.

    :param at: heights of the rows; 0, 1, 2 … where none are given.
    :param shift: pixels above the middle of the row.
    """
    written = [
        {
            "text": name, "x": 0, "xref": "paper", "xanchor": "left", "y": y, "yanchor": "bottom", "yshift": shift,
            "showarrow": False, "borderpad": 0, "font": {"size": size, "color": ink},
        }
        for name, y in zip(names, at or range(len(names)), strict=True)
    ]  # fmt: skip
    figure.layout.annotations = [*figure.layout.annotations, *written]
    figure.update_yaxes(showticklabels=False, ticks="", automargin=False)
