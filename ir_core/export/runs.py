"""Frozen results under an id, in one bounded store: what ``?run=<id>`` shows, long after the corpus has moved on."""

from __future__ import annotations

import hashlib
import os
import re
import threading
from functools import lru_cache
from pathlib import Path

from ir_core import config
from ir_core.errors import BadInput
from ir_core.export.comparison import Comparison
from ir_core.export.whole import SUFFIX, from_bundle, to_bundle

MAX_RUNS = 500
MAX_BYTES = 200_000_000
_ID = re.compile(r"[0-9a-f]{16}")


class RunStore:
    """Comparisons as files, the oldest dropped beyond ``max_runs`` or ``max_bytes``. Safe for threads and processes:
    a file is written whole and renamed, and its id is the hash of what it holds."""

    def __init__(self, folder: Path, *, max_runs: int = MAX_RUNS, max_bytes: int = MAX_BYTES) -> None:
        self.folder, self.max_runs, self.max_bytes = folder, max_runs, max_bytes
        self._lock = threading.Lock()

    def put(self, comparison: Comparison) -> str:
        """Its id: 16 hexadecimal digits, which nobody guesses.

        :raises OSError: when the folder cannot be written.
        """
        data = to_bundle(comparison)
        name = hashlib.sha256(data).hexdigest()[:16]
        with self._lock:
            self.folder.mkdir(parents=True, exist_ok=True)
            partial = self.folder / f".{name}.{os.getpid()}"
            partial.write_bytes(data)
            partial.replace(self._path(name))
            self._shrink(name)
        return name

    def get(self, name: str) -> Comparison:
        """:raises BadInput: for an id there is not (any more), and for a file that is damaged."""
        if not _ID.fullmatch(name):
            raise BadInput(
                "This link is not of a frozen result: what it names is none. Copy the link anew where the result was "
                "frozen; that of an evaluation opens on the Evaluate page."
            )
        try:
            data = self._path(name).read_bytes()
        except FileNotFoundError:
            raise BadInput(
                f"The frozen result {name} is not kept here (any more): the newest {self.max_runs} are. Open its "
                "bundle, or ask the query again."
            ) from None
        return from_bundle(data)

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}{SUFFIX}"

    def _shrink(self, kept: str) -> None:
        found = []
        for path in self.folder.glob(f"*{SUFFIX}"):
            try:
                about = path.stat()
            except FileNotFoundError:  # another process was faster
                continue
            found.append((path.name != f"{kept}{SUFFIX}", -about.st_mtime_ns, about.st_size, path))
        found.sort()
        total = 0
        for number, (_, _, size, path) in enumerate(found):
            total += size
            if number and (number >= self.max_runs or total > self.max_bytes):
                path.unlink(missing_ok=True)


@lru_cache(maxsize=4)
def _store(folder: Path) -> RunStore:
    return RunStore(folder)


def run_store() -> RunStore:
    """The one of this installation."""
    return _store(config.home() / "runs")
