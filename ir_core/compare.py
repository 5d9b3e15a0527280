"""One query through every chosen transform, drawn as they finish.

Writers' chains run in a thread pool; the caller's thread ranks what has been written, in batches, and yields events.
Worker threads only write. Once ``cancel`` is set no further call leaves, and closing the generator sets it.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import Any, Literal

from ir_core import visits
from ir_core.config import MAX_TRANSFORMS
from ir_core.errors import BadSetting, Cancelled, QueryPrismError
from ir_core.protocols import RunContext, Timer, Transform, Writer
from ir_core.retrieval import Engine, IndexSearcher, SearchSettings, clean_query, search_many
from ir_core.retrieval.searcher import SearchMemo
from ir_core.schema import Formulation, SearchResult, Turn
from ir_core.secrets import log_failure
from ir_core.transforms import TRANSFORMS

log = logging.getLogger(__name__)
Choice = tuple[str, Mapping[str, Any]]
"""A transform's name and its settings."""
JOINED = "joined_turns"
DEFAULT_TRANSFORMS: tuple[str, ...] = ("identity", "rewrite", "multi_query", "hyde", "decompose", "step_back")


@dataclass(frozen=True, slots=True)
class Event:
    """What happened to one column. ``slot`` is its place (Original is 0); "finished" comes last, for all, with slot
    -1. ``seconds`` is since the comparison began. ``error`` is a sentence for a person."""

    kind: Literal["started", "written", "ranked", "failed", "finished"]
    slot: int
    transform: str
    seconds: float
    formulation: Formulation | None = None
    result: SearchResult | None = None
    error: str | None = None


def chosen(transforms: Sequence[Choice]) -> list[Transform]:
    """The transforms to run, Original first whether named or not, each with its settings checked.

    :raises UnknownName, BadSetting: for a name or setting there is not, or for too many columns.
    """
    made = [TRANSFORMS.make(name, settings) for name, settings in transforms]
    first = TRANSFORMS.make("identity")
    made = [first, *(item for item in dict.fromkeys(made) if item.name != first.name)]
    if len(made) > MAX_TRANSFORMS:
        raise BadSetting(f"{len(made)} transforms were chosen; side by side there is room for {MAX_TRANSFORMS}.")
    return made


def with_joined_turns(transforms: Sequence[Choice], history: Sequence[Turn]) -> list[Choice]:
    """A follow-up's original stands twice: as the last turn, and joined with those before, where there is room."""
    names = [name for name, _ in transforms]
    others = [choice for choice in transforms if TRANSFORMS.get(choice[0]).name != "identity"]
    if not history or JOINED in names or len(others) + 2 > MAX_TRANSFORMS:
        return list(transforms)
    return [(JOINED, {}), *others]


def compare(
    engine: Engine,
    query: str,
    *,
    transforms: Sequence[Choice],
    writer: Writer,
    settings: SearchSettings,
    history: Sequence[Turn] = (),
    cancel: threading.Event | None = None,
    use_cache: bool = True,
) -> Iterator[Event]:
    """Events as they happen; results in the order in which they are ready.

    :raises BadQuery, BadSetting, BadFilter, UnknownName: before anything starts.
    """
    text, note = clean_query(query, engine.index.manifest.language)
    columns = chosen(transforms)
    settings.check_kinds(engine.index.manifest.kinds)
    engine.index.allowed(settings.filter, settings.surfaces)
    run = _Run(engine, text, note, writer, settings, tuple(history), cancel or threading.Event(), use_cache)
    return run.events(columns)


def compare_all(engine: Engine, query: str, **options: Any) -> list[SearchResult]:
    """Every column's result, in the order of the columns; waits for all.

    :raises QueryPrismError: as :func:`compare`, and when a column could not be ranked at all.
    """
    results: dict[int, SearchResult] = {}
    for event in compare(engine, query, **options):
        if event.kind == "failed":
            raise QueryPrismError(f"{event.transform}: {event.error}")
        if event.result:
            results[event.slot] = event.result
    return [results[slot] for slot in sorted(results)]


def formulate(
    engine: Engine,
    transform: Transform,
    query: str,
    history: Sequence[Turn],
    writer: Writer,
    settings: SearchSettings,
    *,
    cancel: threading.Event | None = None,
    memo: SearchMemo | None = None,
    use_cache: bool = True,
) -> Formulation:
    """One transform's chain of writing, timed: waiting for others is ``queued``, a shared search is paid in full.

    :raises Cancelled: when a newer query took over.
    """
    searcher = IndexSearcher(engine, settings, memo)
    context = RunContext(
        writer=writer,
        searcher=searcher,
        cancel=cancel or threading.Event(),
        corpus_language=engine.index.manifest.language,
        use_cache=use_cache,
    )
    made = transform.formulate(query, history, context)
    queued = searcher.queued_s + sum(call.queued for call in made.calls)
    return replace(made, seconds=max(0.0, made.seconds - queued) + searcher.borrowed_s, queued=queued)


@dataclass
class _Run:
    engine: Engine
    query: str
    note: str | None
    writer: Writer
    settings: SearchSettings
    history: tuple[Turn, ...]
    cancel: threading.Event
    use_cache: bool

    def events(self, columns: Sequence[Transform]) -> Iterator[Event]:
        timer = Timer()
        memo = SearchMemo()
        pool = ThreadPoolExecutor(len(columns), thread_name_prefix="compare", initializer=visits.carried())
        try:
            pending: dict[Future[Formulation], int] = {}
            for slot, transform in enumerate(columns):
                pending[pool.submit(self._formulate, transform, memo)] = slot
                yield Event("started", slot, transform.name, timer.seconds)
            while pending and not self.cancel.is_set():
                done, _ = wait(pending, timeout=0.05, return_when=FIRST_COMPLETED)
                ready = sorted((pending.pop(future), future) for future in done)
                yield from self._rank([(slot, columns[slot], future) for slot, future in ready], timer)
            if not self.cancel.is_set():
                yield Event("finished", -1, "", timer.seconds)
        except BaseException:
            self.cancel.set()
            raise
        finally:
            if pending:
                self.cancel.set()
            pool.shutdown(wait=False, cancel_futures=True)

    def _formulate(self, transform: Transform, memo: SearchMemo) -> Formulation:
        made = formulate(
            self.engine, transform, self.query, self.history, self.writer, self.settings,
            cancel=self.cancel, memo=memo, use_cache=self.use_cache,
        )  # fmt: skip
        notes = (*((self.note,) if self.note else ()), *made.notes, *_unused(made, self.settings))
        return replace(made, notes=notes)

    def _rank(self, ready: Sequence[tuple[int, Transform, Future[Formulation]]], timer: Timer) -> Iterator[Event]:
        written: list[tuple[int, Transform, Formulation]] = []
        for slot, transform, future in ready:
            try:
                made = future.result()
            except Cancelled:
                continue
            except Exception as error:
                yield _failed(slot, transform, error, timer)
                continue
            written.append((slot, transform, made))
            yield Event("written", slot, transform.name, timer.seconds, formulation=made)
        if not written or self.cancel.is_set():
            return
        try:
            results = search_many(self.engine, [made for _, _, made in written], self.settings)
        except Exception as error:
            for slot, transform, _ in written:
                yield _failed(slot, transform, error, timer)
            return
        for (slot, transform, made), result in zip(written, results, strict=True):
            yield Event("ranked", slot, transform.name, timer.seconds, made, result)


def _unused(made: Formulation, settings: SearchSettings) -> tuple[str, ...]:
    """Says so when nothing the transform wrote is searched in this mode."""
    new = [query for query in made.queries if query.id != made.original.id]
    if not new or any(leg in settings.legs for query in new for leg in query.legs):
        return ()
    legs = ", ".join(dict.fromkeys(leg for query in new for leg in query.legs))
    return (f"Nothing changes in {settings.mode} mode: what was written goes to the {legs} leg only.",)


def _failed(slot: int, transform: Transform, error: Exception, timer: Timer) -> Event:
    """The tree of errors speaks for itself; anything else gets a reference id, and the log has the rest."""
    if isinstance(error, QueryPrismError):
        return Event("failed", slot, transform.name, timer.seconds, error=str(error))
    reference = log_failure(log, f"column {transform.name} failed", error)
    sentence = f"It could not be ranked (reference {reference})."
    return Event("failed", slot, transform.name, timer.seconds, error=sentence)
