"""Usable replies of models, kept on disk: the same request is paid for once, also after a restart.

One SQLite file in WAL mode, which several processes may use at once. The least recently used replies go when it
grows past its bound. It is a cache: where it cannot be used, writing goes on without it, after one line in the log.
"""

from __future__ import annotations

import hashlib
import json
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from ir_core import config
from ir_core.writers._flights import PATIENCE_S, Flights

PARSER_VERSION = "3"
"""Of what reads replies (``_replies.py``, ``_reply_*.py``); raise it when a kept reply would be read otherwise."""
MAX_BYTES = 64 * 1024**2
"""Some 50,000 replies of 100 words."""
_LOCKED_S = 5.0
_SCHEMA = """
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, text TEXT NOT NULL, tokens_in INTEGER, tokens_out INTEGER, cost_usd REAL, seconds REAL,
    first_token_s REAL, date TEXT NOT NULL, used INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS replies_used ON replies (used);
"""
_log = logging.getLogger(__name__)
T = TypeVar("T")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True, slots=True)
class Kept:
    """A reply and what it took the first time. None is unknown; ``date`` is ISO 8601, in UTC."""

    text: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None
    seconds: float | None = None
    first_token_s: float | None = None
    date: str = ""


def reply_key(
    model: str,
    base_url: str | None,
    messages: Sequence[Mapping[str, str]],
    temperature: float,
    seed: int,
    sample: int,
    parser_version: str = PARSER_VERSION,
) -> str:
    """SHA-256 in hexadecimal of all that decides a reply, so that no text and no base URL lies about.

    :param messages: the rendered prompt. ``sample`` counts the texts of one task that are sampled apart, from 0.
    """
    parts = [model, base_url, list(map(dict, messages)), float(temperature), seed, sample, parser_version]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


class ReplyStore:
    """Replies by key; safe to share between threads. Nothing here raises but ``flight``, when it is cancelled.

    :param path: the folder; None is ``replies`` in the folder all state lives in.
    :param max_bytes: of the file, which is at least some 20 kB.
    """

    def __init__(self, path: Path | None = None, max_bytes: int = MAX_BYTES) -> None:
        self.path = (path or config.home() / "replies") / "replies.sqlite"
        self.max_bytes = max_bytes
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._said = False
        self._flights = Flights()

    def get(self, key: str) -> Kept | None:
        columns = "text, tokens_in, tokens_out, cost_usd, seconds, first_token_s, date"

        def read(connection: sqlite3.Connection) -> Kept | None:
            row = connection.execute(f"SELECT {columns} FROM replies WHERE key = ?", (key,)).fetchone()
            if row:
                connection.execute("UPDATE replies SET used = ? WHERE key = ?", (time.time_ns(), key))
            return Kept(*row) if row else None

        return self._run(read, None)

    def put(self, key: str, kept: Kept) -> None:
        """Keeps a reply that was usable; one without a date is of now."""
        *values, date = astuple(kept)

        def write(connection: sqlite3.Connection) -> None:
            row = (key, *values, date or _now(), time.time_ns())
            connection.execute(f"INSERT OR REPLACE INTO replies VALUES ({', '.join('?' * len(row))})", row)
            self._trim(connection, key)

        self._run(write, None)

    def count(self, keys: Sequence[str]) -> int:
        """How many of these are kept; to ask is no use of them."""
        if not self.path.exists():
            return 0
        marks = ", ".join("?" * len(keys))
        query = f"SELECT count(*) FROM replies WHERE key IN ({marks})"
        return self._run(lambda connection: int(connection.execute(query, list(keys)).fetchone()[0]), 0)

    def flight(
        self, key: str, cancel: threading.Event | None = None, patience: float = PATIENCE_S
    ) -> AbstractContextManager[float]:
        """One caller of this process at a time per key: the others wait, and find the reply in the store.

        Gives the seconds waited; one that waited ``patience`` seconds goes on by itself.

        :raises Cancelled: while waiting, when ``cancel`` is set.
        """
        return self._flights.one(key, cancel, patience)

    def clear(self) -> None:
        """Forgets every reply."""

        def drop(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM replies")
            connection.executescript("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)")

        self._run(drop, None)

    def size_bytes(self) -> int:
        """Bytes in use; 0 where there is no store yet."""
        return self._run(_bytes, 0) if self.path.exists() else 0

    def __len__(self) -> int:
        if not self.path.exists():
            return 0
        return self._run(lambda connection: int(connection.execute("SELECT count(*) FROM replies").fetchone()[0]), 0)

    def _trim(self, connection: sqlite3.Connection, newest: str) -> None:
        trimmed = False
        while _bytes(connection) > self.max_bytes:
            tenth = "(SELECT 1 + count(*) / 10 FROM replies)"
            oldest = f"SELECT key FROM replies WHERE key != ? ORDER BY used LIMIT {tenth}"
            if not connection.execute(f"DELETE FROM replies WHERE key IN ({oldest})", (newest,)).rowcount:
                break
            trimmed = True
        if trimmed:
            connection.executescript("PRAGMA incremental_vacuum")  # execute() would take one step of it

    def _run(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """The result of ``work``; ``otherwise`` where the file cannot be used. A damaged file is begun anew."""
        with self._lock:
            for _ in range(2):
                try:
                    return work(self._open())
                except (sqlite3.OperationalError, OSError) as error:
                    self._say(f"Replies are not kept: {self.path.parent} cannot be used ({error}).")
                    self._close()
                    break
                except sqlite3.DatabaseError as error:
                    self._say(f"The kept replies were damaged ({error}) and are begun anew.")
                    self._close()
                    if not self._remove():
                        break
            return otherwise

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            # No transaction of its own opening: each statement is one, so no reader holds up another process.
            connection = sqlite3.connect(self.path, timeout=_LOCKED_S, isolation_level=None, check_same_thread=False)
            try:
                for setting in ("auto_vacuum = INCREMENTAL", "journal_mode = WAL", "synchronous = NORMAL"):
                    connection.execute(f"PRAGMA {setting}")
                connection.executescript(_SCHEMA)
            except sqlite3.Error:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _remove(self) -> bool:
        try:
            for ending in ("", "-wal", "-shm"):
                self.path.with_name(self.path.name + ending).unlink(missing_ok=True)
        except OSError:
            return False
        return True

    def _say(self, what: str) -> None:
        if not self._said:
            self._said = True
            _log.warning("%s Set QUERY_PRISM_HOME to a folder that can be written to, or free its disk.", what)


def _bytes(connection: sqlite3.Connection) -> int:
    names = ("page_count", "freelist_count", "page_size")
    pages, free, size = (int(connection.execute(f"PRAGMA {name}").fetchone()[0]) for name in names)
    return (pages - free) * size


_stores: dict[Path, ReplyStore] = {}
_stores_lock = threading.Lock()


def store() -> ReplyStore:
    """The one store of this process, in the folder all state lives in."""
    folder = config.home() / "replies"
    with _stores_lock:
        if folder not in _stores:
            _stores.clear()
            _stores[folder] = ReplyStore(folder)
        return _stores[folder]
