"""One comparison as a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ir_core.schema import SearchResult

QUERY_ID = "q"
"""Of a query that no set names."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """``results`` in the order of the columns, the original's first; ``config`` is all that reproduces them (corpus,
    strategy, embedder, index settings, search settings, transforms with their settings, writer, history).

    ``grades`` are the query's judgements by artifact id, empty where nobody judged it; ``query_id`` is its name in
    the corpus' own set. ``made`` is ISO 8601, UTC; ``version`` is the release that made it.
    """

    query: str
    config: Mapping[str, Any]
    results: tuple[SearchResult, ...]
    made: str
    version: str
    grades: Mapping[str, int] = field(default_factory=dict)
    query_id: str = QUERY_ID

    @property
    def names(self) -> list[str]:
        """One per column, each once: ``hyde``, and ``hyde-2`` where a transform stands twice."""
        seen: dict[str, int] = {}
        found = []
        for result in self.results:
            name = result.formulation.transform
            seen[name] = seen.get(name, 0) + 1
            found.append(name if seen[name] == 1 else f"{name}-{seen[name]}")
        return found
