"""A comparison as files: a table for spreadsheets, and JSON in the same form as ``query-prism compare --json``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ir_core.cli._answers import SCHEMA_VERSION, as_text
from ir_core.cli._results import result_json
from ir_core.schema import SearchResult
from pages._ui import cards, moves
from pages._ui.csv_file import csv_file

COLUMNS = (
    "transform",
    "title",
    "written_by",
    "rank",
    "artifact_id",
    "document",
    "kind",
    "surface_id",
    "score",
    "move",
    "found_by",
    "text",
)


def to_csv(results: Sequence[SearchResult]) -> bytes:
    """One line per hit."""
    return csv_file(COLUMNS, _lines(results))


def _lines(results: Sequence[SearchResult]) -> Iterator[Sequence[Any]]:
    original = results[0] if results else None
    for result in results:
        moved = moves.moves(result, original)
        for hit in result.fused.hits:
            move = moved.get(hit.artifact_id)
            yield (
                result.formulation.transform,
                result.formulation.title,
                result.formulation.written_by,
                hit.rank,
                hit.artifact_id,
                hit.title,
                hit.kind,
                hit.surface_id,
                hit.score,
                move.word if move else None,
                cards.found_by(hit, most=20),
                hit.text,
            )


def to_json(query: str, config: Mapping[str, Any], results: Sequence[SearchResult]) -> bytes:
    """``config`` holds all that reproduces the run, and no key."""
    data = {
        "schema_version": SCHEMA_VERSION,
        "query": query,
        "config": dict(config),
        "results": [result_json(result) for result in results],
    }
    return as_text(data).encode("utf-8", "replace")
