"""Recording: whatever a writer writes is also put into a file, one line per task."""

from __future__ import annotations

import errno
import json
import logging
import os
import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from ir_core.errors import BadSetting, Cancelled, CapReached, QueryPrismError, TaskUnsupported
from ir_core.protocols import RunContext, Writer
from ir_core.schema import Call, Task, Written
from ir_core.secrets import redacted, without_keys
from ir_core.writers.around import WriterAround
from ir_core.writers.recorded.entry import Entry, digest
from ir_core.writers.recorded.lines import LINE_START, line_of
from ir_core.writers.recorded.replay import RecordedWriter

log = logging.getLogger(__name__)
_APPENDING = threading.Lock()
"""One line at a time in this process; other processes are kept apart by the system's append."""


class RecordingWriter(WriterAround):
    """Writes as ``inner`` does and appends each task, with what came of it, to ``path``; failures are recorded too,
    so that a replay falls back where the original did. No key and no server's address is written.

    Safe for threads and for several processes on one file. A line that cannot be written costs nobody their text: it
    is named in the text's note and in the log.

    :raises BadSetting: when the file cannot be appended to, or ``inner`` is a replay.
    """

    def __init__(self, inner: Writer, path: Path | str) -> None:
        if isinstance(inner, RecordedWriter):
            raise BadSetting("A replay is not recorded again: its date would be wrong. Copy its file instead.")
        if not str(path).strip():
            raise BadSetting("The recording names no file. Name the one that texts are to be appended to.")
        super().__init__(inner)
        self._path = Path(path)
        try:
            _end_last_line(self._path)
        except FileNotFoundError:
            raise BadSetting(
                f"Nothing can be recorded in {self._path.name!r}: its folder does not exist. Make it, or name a file "
                "in one that is there."
            ) from None
        except OSError as error:
            raise BadSetting(
                f"Nothing can be recorded in {self._path.name!r}: {error.strerror}. Name a file that can be written."
            ) from None

    def write(self, task: Task, context: RunContext) -> list[Written]:
        """As ``inner``'s; raises what it raises. A task that was cancelled, or met a cap, is not recorded."""
        own = replace(context, writer=self.inner, _calls=[], _lock=threading.Lock())
        written: list[Written] = []
        error: str | None = None
        keep = False
        try:
            written = self.inner.write(task, own)
            keep = True
        except (Cancelled, CapReached, TaskUnsupported):
            raise
        except QueryPrismError as problem:
            error, keep = redacted(str(problem)), True
            raise
        finally:
            for call in own.calls:
                context.record(call)
            lost = self._append(task, written, own.calls, error) if keep else ""
        return [replace(one, note=f"{one.note} {lost}".strip()) for one in written] if lost else written

    def _append(self, task: Task, written: Sequence[Written], calls: Sequence[Call], error: str | None) -> str:
        """Nothing, or a sentence that says why the line is not there."""
        entry = Entry(
            task=task.name,
            query=task.query,
            written=tuple(written),
            calls=tuple(replace(call, error=redacted(call.error) if call.error else None) for call in calls),
            history=digest(task.history),
            n=task.n,
            seed=task.seed,
            temperature=task.temperature,
            language=task.language,
            is_llm=self.is_llm,
            title=next((call.title for call in calls if call.title), None),
            date=_date(calls),
            error=error,
        )
        try:
            _append(self._path, without_keys(line_of(entry)) + "\n")
        except OSError as problem:
            log.warning("%s was not recorded: %s", task.name, problem.strerror)
            return f"Not recorded: {problem.strerror}."
        return ""


def _date(calls: Sequence[Call]) -> str:
    """Of now; where every reply came from the store, the day the oldest was written."""
    kept = [call.date for call in calls if call.cached and call.date]
    return min(kept) if kept and len(kept) == len(calls) else datetime.now(UTC).isoformat(timespec="seconds")


def _append(path: Path, text: str) -> None:
    """The whole text with one write at the file's end, or an error; half a line is taken back."""
    data = text.encode("utf-8")
    with _APPENDING:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            done = os.write(handle, data)
            if done < len(data):
                os.ftruncate(handle, os.fstat(handle).st_size - done)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        finally:
            os.close(handle)


def _end_last_line(path: Path) -> None:
    """Makes the file, or closes a last line that was left open, so that the next one begins anew. One that was torn
    off, by a kill or a full disk, goes: the file could not be replayed with it."""
    with path.open("ab+") as file:
        size = file.tell()
        file.seek(0)
        last = file.read().rpartition(b"\n")[2]
        if not last:
            return
        try:
            json.loads(last)
        except ValueError:
            if last.startswith(LINE_START):
                log.warning("the last line of %s was torn off, and is left out", path.name)
                file.truncate(size - len(last))
                return
        file.write(b"\n")
