"""Every chosen transform's text for every query: the part that a writer is paid for, done once each."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Protocol

from ir_core.budget import is_cap
from ir_core.compare import formulate
from ir_core.errors import BadInput, Cancelled, QueryPrismError
from ir_core.evaluation.failing import FirstCalls
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
Written = Formulation | str
"""A formulation, or the sentence that says why there is none."""


class Kept(Protocol):
    """Texts that outlive the run, by query id and number of the column. Called from several threads."""

    def get(self, query_id: str, column: int, /) -> Written | None: ...

    def put(self, query_id: str, column: int, made: Written, /) -> None: ...


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
) -> Generator[list[Written], None, None]:
    """For each query, in order, one entry per transform. Transforms run in shuffled order, so that none is always the
    one that warms something up.

    :param kept: what is there already is not written again; what is written goes there at once. ``cancel`` then lets
        the texts under way come to their end: they are paid for, and would be asked for again.
    :param authored: let authored examples through, for a table that calls them so.
    :raises Cancelled: once ``cancel`` is set.
    :raises WriterFails: when the first calls to a model all fail; nothing of them is kept.
    :raises BadInput: when a text is an authored example and may not be: those say nothing of how well a writer does.
    """

    watch = FirstCalls() if writer.is_llm else None
    within = cancel if kept is None else threading.Event()

    def one(number: int) -> list[Written]:
        query, memo = queries[number], SearchMemo()
        order = list(range(len(transforms)))
        random.Random(f"{seed}:{query.id}").shuffle(order)
        made: dict[int, Written] = {}
        for slot in order:
            if cancel.is_set():
                raise Cancelled("The evaluation was stopped.")
            known = kept.get(query.id, slot) if kept else None
            if known is not None:
                made[slot] = known
                continue
            try:
                text = formulate(
                    engine, transforms[slot], query.text, query.history, writer, settings,
                    cancel=within, memo=memo, use_cache=use_cache,
                )  # fmt: skip
            except Exception as error:
                if isinstance(error, Cancelled):
                    raise
                made[slot] = sentence(error)
                if kept:
                    kept.put(query.id, slot, made[slot])
                continue
            if not authored and any(call.model == AUTHORED for call in text.calls):
                raise BadInput(
                    f"The text for {query.id!r} is an authored example, which is never measured. Evaluate with the "
                    "corpus writer, a model, or a recording of one."
                )
            keep = partial(kept.put, query.id, slot, text) if kept else _nothing
            if watch:
                watch.see(text, keep)
            else:
                keep()
            if is_cap(text.fallback_reason):  # not written for want of money, which says nothing of the transform
                text = replace(text, skip_reason=text.fallback_reason, fallback_reason=None)
            made[slot] = text
        return [made[slot] for slot in range(len(transforms))]

    if not writer.is_llm:
        yield from map(one, range(len(queries)))
        return
    pool = ThreadPoolExecutor(max_workers=LLM_WORKERS, thread_name_prefix="evaluate")
    try:
        assert watch is not None
        waiting: list[list[Written]] = []
        for row in pool.map(one, range(len(queries))):
            waiting.append(row)
            if not watch.is_open:
                yield from waiting
                waiting = []
        watch.end()
        yield from waiting
    except BaseException:  # whoever reads this stopped: nothing more is to be paid for
        cancel.set()
        raise
    finally:
        pool.shutdown(wait=kept is not None, cancel_futures=True)


def _nothing() -> None:
    pass


def sentence(error: Exception) -> str:
    """The tree of errors speaks for itself; anything else gets a reference id, and the log has the rest."""
    if isinstance(error, QueryPrismError):
        return str(error)
    return f"It could not be searched (reference {log_failure(log, 'a query failed', error)})."
