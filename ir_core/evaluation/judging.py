"""A judge reads the first surfaces of each list and rates from 0 to 100 how far they suffice to answer the query.

One list is asked about ``repeats`` times at temperature 0, each time anew: a kept reply would hide how far a model
agrees with itself (Zheng et al., NeurIPS 2023). Lists that are equal are asked about once.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from ir_core.errors import Cancelled, CapReached, WriterFails
from ir_core.evaluation.answer_scores import gold_of
from ir_core.evaluation.failing import FIRST
from ir_core.evaluation.judge_plan import JudgePlan
from ir_core.evaluation.judge_replies import Replies, Reply, list_key
from ir_core.evaluation.result import Row
from ir_core.evaluation.writing import LLM_WORKERS, sentence
from ir_core.index import Index
from ir_core.library import JudgedQuery
from ir_core.protocols import RunContext, Writer
from ir_core.retrieval import Engine, IndexSearcher, SearchSettings
from ir_core.schema import Hit, Task
from ir_core.writers.recorded import RecordedWriter

JUDGE_TASK, ANSWER_TASK = "judge_context", "answer"


@dataclass(frozen=True, slots=True)
class Judge:
    """Who judges, and how. The writer may be another than the transforms' own."""

    writer: Writer
    plan: JudgePlan = field(default_factory=JudgePlan)

    @property
    def cannot(self) -> str | None:
        """Why this writer cannot judge; None when it can."""
        if isinstance(self.writer, RecordedWriter):
            return "A recording cannot judge: it does not know which passages a reply was about. Name a model for it."
        wanted = [JUDGE_TASK, *([ANSWER_TASK] if self.plan.answerer else [])]
        if all(task in self.writer.tasks for task in wanted):
            return None
        return f"{self.writer.label} cannot judge: it writes no ratings and no answers. Name a model for it."


@dataclass(frozen=True, slots=True)
class Asked:
    """One list of one query: the surfaces a judge reads, best first."""

    key: str
    query: JudgedQuery
    surface_ids: tuple[str, ...]


def lists_of(index: str, queries: Mapping[str, JudgedQuery], rows: Iterable[Row], k: int) -> list[Asked]:
    """The different lists among these rows, in their order; a row that found nothing has none.

    :param index: fingerprint of the build they were found in.
    """
    found: dict[str, Asked] = {}
    for row in (one for several in rows for one in several.samples or (several,)):
        if row.surface_ids and not row.error and not row.skip_reason:
            ids = row.surface_ids[:k]
            key = list_key(index, row.query_id, ids)
            found.setdefault(key, Asked(key, queries[row.query_id], ids))
    return list(found.values())


def tasks_of(one: Asked, plan: JudgePlan, hits: tuple[Hit, ...]) -> list[tuple[Task, int]]:
    """What is asked about a list, with the number of the repeat. Each repeat has a seed of its own: with one seed, a
    server would repeat itself."""
    query, history = one.query.text, tuple(one.query.history)
    known = one.query.answers if plan.reference else ()
    asked = [
        (Task(JUDGE_TASK, query, history, hits=hits, seed=repeat, reference=known, temperature=0.0), repeat)
        for repeat in range(plan.repeats)
    ]
    if plan.answerer and gold_of(one.query.answers):
        asked.append((Task(ANSWER_TASK, query, history, hits=hits, temperature=0.0), 0))
    return asked


@dataclass
class Asking:
    """Lists on their way to a judge, several at once; ``each`` gives the number of those that are done."""

    engine: Engine
    judge: Judge
    replies: Replies
    cancel: threading.Event
    within: threading.Event
    """Set where calls under way are to be given up, too; ``cancel`` alone lets them come to their end."""
    _stop: threading.Event = field(default_factory=threading.Event)
    _lost: CapReached | WriterFails | None = None
    _failed: int = 0
    _works: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def each(self, lists: Sequence[Asked]) -> Iterator[int]:
        """1, 2, 3 … as the lists are through.

        :raises Cancelled: once ``cancel`` is set.
        :raises CapReached: when there is no money for the next call.
        :raises WriterFails: when the first calls all fail.
        """
        if why := self.judge.cannot:
            self.replies.cannot(why)
            yield len(lists)
            return
        pool = ThreadPoolExecutor(max_workers=LLM_WORKERS, thread_name_prefix="judge")
        try:
            for number, _ in enumerate(pool.map(self._one, lists), start=1):
                yield number
        except BaseException:
            self._stop.set()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _one(self, asked: Asked) -> None:
        hits = hits_of(self.engine.index, asked.surface_ids)
        for task, repeat in tasks_of(asked, self.judge.plan, hits):
            known = self.replies.get(asked.key, task.name, repeat)
            if known is None or known.text is None:
                try:
                    self._ask(asked.key, task, repeat)
                except (CapReached, WriterFails) as error:  # the others stop at once, for the same reason
                    self._lost = error
                    raise

    def _ask(self, key: str, task: Task, repeat: int) -> None:
        if self._lost:
            raise self._lost
        if self.cancel.is_set() or self._stop.is_set():
            raise Cancelled("The judging was stopped.")
        context = RunContext(
            writer=self.judge.writer,
            searcher=IndexSearcher(self.engine, SearchSettings()),
            cancel=self.within,
            corpus_language=self.engine.index.manifest.language,
            use_cache=False,
        )
        said, text = "", None
        try:
            text = context.write(task)[0].text
        except (Cancelled, CapReached):
            raise
        except Exception as error:
            said = sentence(error)
        self.replies.put(Reply(key, task.name, repeat, text, context.calls))
        self._watch(text is not None, said)

    def _watch(self, works: bool, said: str) -> None:
        """A wrong key must not be tried for every list."""
        with self._lock:
            self._works = self._works or works
            self._failed += not works
            if not self._works and self._failed >= FIRST:
                raise WriterFails(
                    f"The judge fails: {self._failed} calls in a row brought no reply, so nothing more is asked. "
                    f"The last said: {said} Correct the key, the address or the model, then resume."
                )


def hits_of(index: Index, surface_ids: Sequence[str]) -> tuple[Hit, ...]:
    """The surfaces as a writer is handed them, best first."""
    found = []
    for rank, name in enumerate(surface_ids, start=1):
        one = index.surfaces[index.row_of[name]]
        found.append(Hit(one.artifact_id, name, one.kind, one.text, "", {}, rank, 0.0))
    return tuple(found)
