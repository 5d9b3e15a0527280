"""Every vector ever computed here, by embedder and text, so that no text is embedded twice.

An index is assembled from this store: a build that was killed goes on where it was, and a setting changed and
changed back costs nothing. One SQLite file in WAL mode, which two processes may use at once; each batch is committed.
"""

from __future__ import annotations

import errno
import logging
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ir_core.errors import IndexProblem, mended
from ir_core.protocols import Vectors

LIMIT_BYTES = 2 * 1024**3
"""Some 1.2 million vectors of 384 dimensions."""
CHUNK = 500
"""Keys in one statement; SQLite's oldest limit is 999 variables."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS vectors (
    embedder TEXT NOT NULL, text BLOB NOT NULL, vector BLOB NOT NULL, tokens INTEGER NOT NULL, used INTEGER NOT NULL,
    PRIMARY KEY (embedder, text)
);
CREATE INDEX IF NOT EXISTS vectors_used ON vectors (used);
"""
_ERRNO = {
    sqlite3.SQLITE_READONLY: errno.EROFS,
    sqlite3.SQLITE_CANTOPEN: errno.EROFS,
    sqlite3.SQLITE_FULL: errno.ENOSPC,
}
_log = logging.getLogger(__name__)
T = TypeVar("T")


class VectorStore:
    """One process' handle; use it as a context manager, from one thread.

    Keys are SHA-256 digests of texts, in hexadecimal. ``notes`` says in words what had to be repaired.

    :raises IndexProblem: from any method, when the file cannot be used (disk full, no permission, locked for long).
    """

    def __init__(self, path: Path, limit_bytes: int = LIMIT_BYTES) -> None:
        self.path, self.limit_bytes = path, limit_bytes
        self.notes: list[str] = []
        self._opened = time.time_ns()
        self._connection: sqlite3.Connection | None = None

    def __enter__(self) -> VectorStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def tokens(self, embedder: str, keys: Iterable[str]) -> dict[str, int]:
        """Of the texts whose vector is here, how many tokens each has."""
        found: dict[str, int] = {}
        for chunk in _chunks(list(keys)):
            found.update((text.hex(), tokens) for text, tokens in self._select("tokens", embedder, chunk))
        return found

    def read(self, embedder: str, keys: Iterable[str], dim: int) -> Iterator[tuple[list[str], Vectors]]:
        """The vectors that are here, some hundred at a time: their keys and (n, dim). They count as used now."""
        for chunk in _chunks(list(keys)):
            rows = [row for row in self._select("vector", embedder, chunk) if len(row[1]) == 4 * dim]
            if not rows:
                continue
            vectors = np.frombuffer(b"".join(row[1] for row in rows), dtype=np.float32).reshape(-1, dim)
            # A vector that lost its length was damaged on disk.
            sound = np.abs(np.linalg.norm(vectors, axis=1) - 1) < 1e-3
            self._touch(embedder, [row[0] for row in rows])
            yield [row[0].hex() for row, good in zip(rows, sound, strict=True) if good], vectors[sound]

    def write(self, embedder: str, keys: Sequence[str], vectors: Vectors, tokens: Sequence[int]) -> None:
        """Keeps (n, dim) ``vectors`` in one transaction."""
        now = time.time_ns()
        rows = [
            (embedder, bytes.fromhex(key), np.ascontiguousarray(vector, dtype=np.float32).tobytes(), count, now)
            for key, vector, count in zip(keys, vectors, tokens, strict=True)
        ]

        def insert(connection: sqlite3.Connection) -> None:
            with connection:
                connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?, ?)", rows)

        self._run(insert)

    def trim(self) -> int:
        """Drops the least recently used vectors until the store fits; never one used since this handle was made.

        :returns: how many were dropped.
        """

        def drop(connection: sqlite3.Connection) -> int:
            dropped = 0
            while self._bytes(connection) > self.limit_bytes:
                with connection:
                    cursor = connection.execute(
                        "DELETE FROM vectors WHERE rowid IN "
                        "(SELECT rowid FROM vectors WHERE used < ? OR used > ? ORDER BY used LIMIT 1000)",
                        (self._opened, time.time_ns()),  # used in the future: the clock was set back since
                    )
                if not cursor.rowcount:
                    break
                dropped += cursor.rowcount
            if dropped:
                connection.executescript("PRAGMA incremental_vacuum")  # execute() would take one step of it
            return dropped

        return self._run(drop)

    def bytes_used(self) -> int:
        return self._run(self._bytes)

    @staticmethod
    def _bytes(connection: sqlite3.Connection) -> int:
        names = ("page_count", "freelist_count", "page_size")
        pages, free, size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names)
        return int((pages - free) * size)

    def _select(self, column: str, embedder: str, keys: Sequence[str]) -> list[tuple[bytes, Any]]:
        marks = ", ".join("?" * len(keys))
        question = f"SELECT text, {column} FROM vectors WHERE embedder = ? AND text IN ({marks})"
        values = (embedder, *map(bytes.fromhex, keys))
        return self._run(lambda connection: connection.execute(question, values).fetchall())

    def _touch(self, embedder: str, texts: Sequence[bytes]) -> None:
        rows = [(time.time_ns(), embedder, text) for text in texts]

        def update(connection: sqlite3.Connection) -> None:
            with connection:
                connection.executemany("UPDATE vectors SET used = ? WHERE embedder = ? AND text = ?", rows)

        self._run(update)

    def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return work(self._open())
        except sqlite3.OperationalError as error:
            raise self._unusable(error) from error
        except sqlite3.DatabaseError as error:
            self._move_aside(error)
        try:
            return work(self._open())
        except sqlite3.DatabaseError as error:
            raise self._unusable(error) from error

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise IndexProblem(
                    f"The folder {self.path.parent}, where indexes are kept, cannot be made "
                    f"({error.strerror or error}). Set QUERY_PRISM_HOME to a folder that can be written to."
                ) from error
            connection = sqlite3.connect(self.path, timeout=30)
            try:
                connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = NORMAL")
                connection.executescript(_SCHEMA)
            except sqlite3.Error:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _move_aside(self, error: sqlite3.DatabaseError) -> None:
        """Renames a damaged file, unless another process has done so; the vectors in it are computed again."""
        from filelock import FileLock

        self.close()
        with FileLock(self.path.with_suffix(".lock")):
            if _sound(self.path):
                return
            aside = self.path.with_name(f"{self.path.stem}.damaged{self.path.suffix}")
            self.path.replace(aside)
            for ending in ("-wal", "-shm"):
                self.path.with_name(self.path.name + ending).unlink(missing_ok=True)
        self.notes.append(
            f"The vector store {self.path.name} was damaged ({error}). It was moved to {aside.name} and started "
            "anew; the texts are embedded again."
        )
        _log.warning(self.notes[-1])

    def _unusable(self, error: sqlite3.Error) -> IndexProblem:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte is the kind of error
        way_out = "Check that its disk has room and that it may be written to"
        if code in _ERRNO:
            way_out = mended(OSError(_ERRNO[code], ""))
        return IndexProblem(
            f"The vector store {self.path} cannot be used ({error}). {way_out}, and build again; what is there "
            "already is kept."
        )


def _sound(path: Path) -> bool:
    try:
        connection = sqlite3.connect(path, timeout=30)
        try:
            return bool(connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")
        finally:
            connection.close()
    except sqlite3.DatabaseError:
        return False


def _chunks(keys: list[str]) -> Iterator[list[str]]:
    return (keys[start : start + CHUNK] for start in range(0, len(keys), CHUNK))
