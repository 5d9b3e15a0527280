"""Taking the comparison away."""

from __future__ import annotations

from collections.abc import Sequence

from ir_core.schema import SearchResult
from pages.compare import sharing
from pages.compare.running import Asked
from pages.compare.setup import Ready

LABEL = "Share and export"
ORDER = 90


def show(ready: Ready, asked: Asked, results: Sequence[SearchResult]) -> None:
    sharing.panel(ready, asked, results)
