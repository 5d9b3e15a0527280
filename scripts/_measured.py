"""Measured rows, kept between runs: one file per set, leg and transform, so that a stopped run goes on.

What is kept counts only for the same index, settings and source text of the program.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ir_core import config
from ir_core.evaluation import Column, Row

NOT_IN_IT = {"cli", "charts", "api", "loaders", "library"}
"""Parts of the program that change no measured value; a changed document is seen in the index's fingerprint."""


def source_hash() -> str:
    """Of every file of ``ir_core`` that a result depends on."""
    root = Path(config.__file__).parent
    found = hashlib.sha256()
    for path in sorted([*root.rglob("*.py"), *root.rglob("*.yaml")]):
        part = path.relative_to(root)
        if part.parts[0] not in NOT_IN_IT and "_bundled" not in part.parts:
            found.update(str(part).encode() + path.read_bytes())
    return found.hexdigest()[:16]


class Kept:
    """Columns under HOME/tables, by name; ``facts`` must be equal for one to count."""

    def __init__(self, facts: Mapping[str, Any], fresh: bool = False) -> None:
        self.facts = json.loads(json.dumps({**facts, "source": source_hash()}, sort_keys=True, default=str))
        self.fresh = fresh

    def columns(
        self, name: str, transforms: Sequence[str], measure: Callable[[list[str]], Sequence[Column]]
    ) -> list[Column]:
        """One column per transform; those that are not kept are measured together.

        :param measure: from the names of the missing transforms to their columns, the original's among them.
        """
        found = {t: column for t in transforms if (column := self._read(name, t))}
        missing = [t for t in transforms if t not in found]
        if missing:
            for column in measure(missing):
                self._write(name, column)
                found[column.transform] = column
        return [found[t] for t in transforms]

    def _path(self, name: str, transform: str) -> Path:
        return config.home() / "tables" / f"{name}-{transform}.json"

    def _read(self, name: str, transform: str) -> Column | None:
        path = self._path(name, transform)
        if self.fresh or not path.is_file():
            return None
        kept = json.loads(path.read_text("utf-8"))
        if kept["facts"] != self.facts:
            return None
        rows = tuple(Row(**row) for row in kept["rows"])
        return Column(transform, kept["label"], kept["settings"], rows)

    def _write(self, name: str, column: Column) -> None:
        path = self._path(name, column.transform)
        path.parent.mkdir(parents=True, exist_ok=True)
        rows = [asdict(replace(row, text="", queries=(), retrieved=())) for row in column.rows]
        kept = {"facts": self.facts, "label": column.label, "settings": dict(column.settings), "rows": rows}
        part = path.with_suffix(".part")
        part.write_text(json.dumps(kept, ensure_ascii=False), "utf-8")
        os.replace(part, path)
