"""Replaying a recording: the same texts for the same task, and no request."""

from __future__ import annotations

import time
from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from ir_core.errors import TaskUnsupported, WriterError
from ir_core.protocols import RunContext
from ir_core.schema import Call, Foreseen, Task, Written
from ir_core.writers.corpus import CorpusWriter
from ir_core.writers.recorded.entry import Asked, Entry, digest, fold, says_something
from ir_core.writers.recorded.reading import read_recording


class RecordedWriter:
    """Answers from a file, the same every time, with no key and no network. Safe for threads.

    Each ``Call`` is marked ``cached`` and ``recorded`` and keeps the tokens, the cost and, as ``first_s``, the
    seconds of the first time; what the file does not say is None.

    :param task: what a plain file's texts stand for; our own recordings say it themselves.
    :param queries: those of the corpus, by which a file that names query ids only is understood.
    :param model, date: who wrote a plain file and when (ISO 8601), where it does not say.
    :param surfaces: ids the index holds; a text that stands for others is refused. None asks nothing.
    :raises BadSource, BadInput, UnknownName: as :func:`read_recording`.
    """

    name = "recorded"
    sends_to = None

    def __init__(
        self,
        path: Path | str,
        *,
        task: str | None = None,
        queries: Iterable[Asked] = (),
        model: str | None = None,
        date: str | None = None,
        surfaces: Container[str] | None = None,
    ) -> None:
        file = Path(path)
        entries = [_named(entry, model, date) for entry in read_recording(file, task=task, queries=queries)]
        self.label = _label(entries, file.name)
        self.is_llm = any(entry.is_llm for entry in entries)
        self.reads_history = self.is_llm or CorpusWriter.reads_history
        self.tasks = frozenset(entry.task for entry in entries)
        self._surfaces = surfaces
        self._file = file.name
        self._entries: dict[tuple[str, str], list[Entry]] = {}
        for entry in entries:
            self._entries.setdefault((entry.task, fold(entry.query)), []).append(entry)

    def foresee(self, task: Task, corpus_language: str | None) -> Foreseen:
        """No request is made."""
        return Foreseen(0, 0, 0, 0.0)

    def temperature_of(self, task: Task, corpus_language: str | None) -> float:
        """0: what was recorded comes again as it is."""
        return 0.0

    def write(self, task: Task, context: RunContext) -> list[Written]:
        """The recorded texts, as many as the task asks for. Of several recordings of one query the one made under the
        same conditions counts, then the newest.

        :raises TaskUnsupported: for a task that is not in the file.
        :raises WriterError: when there is nothing for the query, the reply was blank or ``{}``, or the writer had
            failed when it was recorded.
        """
        if task.name not in self.tasks:
            raise TaskUnsupported(self.label, task.name)
        context.check()
        entry = self._find(task)
        origin = _label([entry], self._file)
        for call in entry.calls:
            context.record(
                replace(call, started=time.perf_counter(), cached=True, recorded=origin, title=entry.title)
            )
        if entry.error is not None:
            raise WriterError(f"When this was recorded, the writer failed: {entry.error}")
        texts = [written for written in entry.written if says_something(written.text)]
        if not texts:
            said = " ".join(" ".join(written.text for written in entry.written).split())
            shown = f"{said[:60]!r} is no text" if said else "it is blank"
            raise WriterError(f"The recorded reply for this query cannot be used: {shown}.")
        missing = [one for text in texts for one in text.surface_ids if not self._holds(one)]
        if missing:
            raise WriterError(
                f"This was recorded over another index: it stands for {missing[0]!r}, which this one does not hold. "
                "Record it again."
            )
        return texts if entry.n == task.n else texts[: max(task.n, 1)]

    def _find(self, task: Task) -> Entry:
        found = self._entries.get((task.name, fold(task.query)), [])
        now = digest(task.history)
        here = [entry for entry in found if entry.history in (None, now)]
        if not here:
            what = "only in another conversation" if found else "not"
            raise WriterError(f"In {self._file} this query was {what} recorded for {task.name.replace('_', ' ')}.")

        def fit(numbered: tuple[int, Entry]) -> tuple[bool | int, ...]:
            number, entry = numbered
            return (
                entry.query == task.query, entry.history == now, entry.n == task.n, (entry.n or 0) > task.n,
                entry.seed == task.seed, entry.temperature == task.temperature, entry.language == task.language,
                number,
            )  # fmt: skip

        return max(enumerate(here), key=fit)[1]

    def _holds(self, surface: str) -> bool:
        return self._surfaces is None or surface in self._surfaces


def _named(entry: Entry, model: str | None, date: str | None) -> Entry:
    calls: Sequence[Call] = [replace(call, model=call.model or model or "") for call in entry.calls]
    return replace(entry, calls=tuple(calls), date=entry.date or date)


def _label(entries: Sequence[Entry], file: str) -> str:
    """Model and date where they are known, the file's name for what is not."""
    models = list(dict.fromkeys(model for entry in entries for model in entry.models))
    dates = sorted({entry.date[:10] for entry in entries if entry.date})
    if not 1 <= len(models) <= 2:
        return f"recorded: {file}"
    day = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}" if dates else file
    return f"recorded: {' and '.join(models)}, {day}"
