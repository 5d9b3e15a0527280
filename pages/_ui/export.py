"""A comparison as files: a table for spreadsheets, and JSON in the same form as ``query-prism compare --json``."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from ir_core.cli._answers import SCHEMA_VERSION, as_text
from ir_core.cli._results import result_json
from ir_core.schema import SearchResult
from pages._ui import cards, moves, safe

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
    """One line per hit. With a byte-order mark, without which spreadsheets take UTF-8 for something else."""
    original = results[0] if results else None
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for result in results:
        moved = moves.moves(result, original)
        for hit in result.fused.hits:
            move = moved.get(hit.artifact_id)
            row = (
                result.formulation.transform,
                result.formulation.title,
                result.formulation.written_by or "",
                hit.rank,
                hit.artifact_id,
                hit.title,
                hit.kind,
                hit.surface_id,
                hit.score,
                move.word if move else "",
                cards.found_by(hit, most=20),
                hit.text,
            )
            writer.writerow([safe.cell(value) for value in row])
    return ("\ufeff" + out.getvalue()).encode("utf-8", "replace")


def to_json(query: str, config: Mapping[str, Any], results: Sequence[SearchResult]) -> bytes:
    """``config`` holds all that reproduces the run, and no key."""
    data = {
        "schema_version": SCHEMA_VERSION,
        "query": query,
        "config": dict(config),
        "results": [result_json(result) for result in results],
    }
    return as_text(data).encode("utf-8", "replace")
