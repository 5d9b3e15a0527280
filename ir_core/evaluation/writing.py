"""Every chosen transform's texts for every query: the part that a writer is paid for, done once each."""

from __future__ import annotations

import logging
import random
import threading
from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from ir_core import visits
from ir_core.budget import is_cap
from ir_core.compare import formulate
from ir_core.errors import BadInput, Cancelled, QueryPrismError
from ir_core.evaluation.failing import FirstCalls
from ir_core.evaluation.sampling import nth_sample, samples_of
from ir_core.library import JudgedQuery
from ir_core.protocols import Transform, Writer
from ir_core.retrieval import Engine, SearchSettings
from ir_core.retrieval.searcher import SearchMemo
from ir_core.schema import AUTHORED, Formulation
from ir_core.secrets import log_failure

log = logging.getLogger(__name__)
LLM_WORKERS = 8
"""Queries written at the same time by an LLM, which mostly waits. A writer that computes writes one at a time,
between the searches: its own seconds are measured, and two would slow each other down."""
LOOK_S = 0.5
Written = Formulation | str
"""A formulation, or the sentence that says why there is none."""
Samples = tuple[Written, ...]
"""What one transform made of one query: one text, or as many as are sampled."""


class Kept(Protocol):
    """Texts that outlive the run, by query id, number of the column and of the sample. Called from several
    threads."""

    def get(self, query_id: str, column: int, sample: int, /) -> Written | None: ...

    def put(self, query_id: str, column: int, sample: int, samples: int, made: Written, /) -> None:
        """:param samples: how many there will be of this query and column."""
        ...


def write_all(
    engine: Engine,
    queries: Sequence[JudgedQuery],
    transforms: Sequence[Transform],
    writer: Writer,
    settings: SearchSettings,
    cancel: threading.Event,
    *,
    use_cache: bool = True,
    seed: int = 0,
    kept: Kept | None = None,
    authored: bool = False,
    samples: int = 1,
    within: threading.Event | None = None,
    while_waiting: Callable[[], None] | None = None,
) -> Generator[list[Samples], None, None]:
    """For each query, in order, one entry per transform. Transforms run in shuffled order, so that none is always the
    one that warms something up.

    :param kept: what is there already is not written again; what is written goes there at once. ``cancel`` then lets
        what is under way come to its end: it is paid for, and would be asked for again.
    :param authored: let authored examples through, for a table that calls them so.
    :param within: set where the calls under way are to be given up, too; None is ``cancel`` itself where nothing is
        kept, else never.
    :param samples: texts of each query where a model writes at a temperature above 0 (``sampling``).
    :param while_waiting: called every ``LOOK_S`` while a model's texts are waited for; what it raises ends it all.
    :raises Cancelled: once ``cancel`` is set.
    :raises WriterFails: when the first calls to a model all fail; nothing of them is kept.
    :raises BadInput: when a text is an authored example and may not be: those say nothing of how well a writer does.
    """
    within = within or (cancel if kept is None else threading.Event())
    stop = cancel if kept is None else threading.Event()
    watch = FirstCalls() if writer.is_llm else None
    one = _Writing(
        engine, transforms, writer, settings, (cancel, stop), within, use_cache, seed, kept, authored, samples, watch
    ).of_query
    if watch is None:
        yield from map(one, queries)
        return
    pool = ThreadPoolExecutor(LLM_WORKERS, thread_name_prefix="evaluate", initializer=visits.carried())
    try:
        waiting: list[list[Samples]] = []
        coming = deque(pool.submit(one, query) for query in queries)
        while coming:
            while while_waiting and not wait([coming[0]], LOOK_S).done:
                while_waiting()
            waiting.append(coming.popleft().result())
            if not watch.is_open:
                yield from waiting
                waiting = []
        watch.end()
        yield from waiting
    except BaseException:  # whoever reads this stopped: nothing more is to be paid for
        stop.set()
        raise
    finally:
        pool.shutdown(wait=kept is not None, cancel_futures=True)


@dataclass(frozen=True)
class _Writing:
    engine: Engine
    transforms: Sequence[Transform]
    writer: Writer
    settings: SearchSettings
    stops: Sequence[threading.Event]
    within: threading.Event
    use_cache: bool
    seed: int
    kept: Kept | None
    authored: bool
    samples: int
    watch: FirstCalls | None

    def of_query(self, query: JudgedQuery) -> list[Samples]:
        memo, language = SearchMemo(), self.engine.index.manifest.language
        order = list(range(len(self.transforms)))
        random.Random(f"{self.seed}:{query.id}").shuffle(order)
        made: dict[int, Samples] = {}
        for slot in order:
            n = samples_of(self.transforms[slot], query, self.writer, self.samples, language)
            made[slot] = tuple(self._one(query, slot, number, n, memo) for number in range(n))
        return [made[slot] for slot in range(len(self.transforms))]

    def _one(self, query: JudgedQuery, slot: int, sample: int, samples: int, memo: SearchMemo) -> Written:
        if any(event.is_set() for event in self.stops):
            raise Cancelled("The evaluation was stopped.")
        known = self.kept.get(query.id, slot, sample) if self.kept else None
        if known is not None:
            return known
        try:
            text = formulate(
                self.engine, self.transforms[slot], query.text, query.history, nth_sample(self.writer, sample),
                self.settings, cancel=self.within, memo=memo, use_cache=self.use_cache,
            )  # fmt: skip
        except Exception as error:
            if isinstance(error, Cancelled):
                raise
            said = sentence(error)
            if self.kept:
                self.kept.put(query.id, slot, sample, samples, said)
            return said
        if not self.authored and any(call.model == AUTHORED for call in text.calls):
            raise BadInput(
                f"The text for {query.id!r} is an authored example, which is never measured. Evaluate with the "
                "corpus writer, a model, or a recording of one."
            )
        keep = partial(self.kept.put, query.id, slot, sample, samples, text) if self.kept else _nothing
        if self.watch:
            self.watch.see(text, keep)
        else:
            keep()
        if is_cap(text.fallback_reason):  # not written for want of money, which says nothing of the transform
            text = replace(text, skip_reason=text.fallback_reason, fallback_reason=None)
        return text


def _nothing() -> None:
    pass


def sentence(error: Exception) -> str:
    """The tree of errors speaks for itself; anything else gets a reference id, and the log has the rest."""
    if isinstance(error, QueryPrismError):
        return str(error)
    return f"It could not be searched (reference {log_failure(log, 'a query failed', error)})."
