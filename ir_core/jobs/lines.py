"""Results as JSON lines, appended as they come: a killed process loses at most the line it was writing."""

from __future__ import annotations

import io
import json
import logging
import os
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SYNC_EVERY_S = 1.0
"""A killed process loses nothing that was handed to the system; only a power cut is bounded by this."""
_log = logging.getLogger(__name__)


class Lines:
    """Safe to share between the threads of the one process that writes; readers need no permission.

    A last line without its end was torn off by a kill: it is not read, and cut away before the next is appended.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: io.BufferedWriter | None = None
        self._synced = 0.0
        self._lock = threading.Lock()

    def read(self) -> list[dict[str, Any]]:
        """Every whole line that is a JSON object, in order; empty where there is no file."""
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return []
        found = []
        if data and not data.endswith(b"\n"):
            _log.warning("the last line of %s was torn off and is left out", self.path.name)
        for number, line in enumerate(data[: data.rfind(b"\n") + 1].splitlines(), start=1):
            try:
                value = json.loads(line)
            except ValueError:
                value = None
            if isinstance(value, dict):
                found.append(value)
            else:
                _log.warning("%s, line %d, cannot be read and is left out", self.path.name, number)
        return found

    def append(self, *values: Mapping[str, Any]) -> None:
        """All of them in one write.

        :raises OSError: when the disk refuses.
        """
        data = "".join(json.dumps(value, allow_nan=False, separators=(",", ":")) + "\n" for value in values)
        with self._lock:
            file = self._opened()
            file.write(data.encode("ascii"))
            file.flush()
            if time.monotonic() - self._synced >= SYNC_EVERY_S:
                os.fsync(file.fileno())
                self._synced = time.monotonic()

    def close(self) -> None:
        """Everything is on the disk afterwards; a later ``append`` opens it again."""
        with self._lock:
            if self._file is not None:
                os.fsync(self._file.fileno())
                self._file.close()
                self._file = None

    def _opened(self) -> io.BufferedWriter:
        if self._file is None:
            self._file = self.path.open("ab")
            data = self.path.read_bytes()
            whole = data.rfind(b"\n") + 1
            if whole < len(data):
                self._file.truncate(whole)
        return self._file
