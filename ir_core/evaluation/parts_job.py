"""The parts of a run, one after the other under one purse: what one cannot do costs the others nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ir_core.budget import Purse, Spent, capped
from ir_core.errors import BadSetting, Cancelled, CapReached, IndexProblem, QueryPrismError, WriterError, WriterFails
from ir_core.evaluation.asked import Requests, remembering
from ir_core.evaluation.evaluating_job import EvaluatingJob
from ir_core.evaluation.found import is_whole, places_found
from ir_core.evaluation.job_files import ASKED, JUDGE_ASKED, TEXTS, of_part, queries_of
from ir_core.evaluation.judging_job import judge_run, replies_of
from ir_core.evaluation.plan import Plan
from ir_core.evaluation.telling import Telling
from ir_core.evaluation.texts import Texts
from ir_core.evaluation.writing import sentence
from ir_core.jobs import Handle, Job
from ir_core.library import JudgedQuery
from ir_core.protocols import Writer
from ir_core.retrieval import Engine

WAY_OUT = "Raise the cap of this run and resume it."
Parts = tuple[Engine, Writer]
"""The engine and the writer of one part, not capped yet."""


@dataclass(frozen=True)
class _Memory:
    """What a part remembers of its writer."""

    texts: Texts
    asked: Requests

    def spent(self, before: Spent) -> Spent:
        return self.asked.spent_beyond(self.texts.calls, self.texts.spent(before))

    def close(self) -> None:
        self.texts.close()
        self.asked.close()


def memory_of(job: Job, part: int) -> _Memory:
    return _Memory(Texts(of_part(job, TEXTS, part)), Requests(of_part(job, ASKED, part)))


def work_of(open_parts: Callable[[Plan], Parts], *purses: Purse) -> Callable[[Handle], None]:
    """What a runner is given, to begin with or to go on: everything is opened in its own thread.

    :param open_parts: given the plan of one index and one writer.
    :param purses: charged besides the run's own.
    """

    def work(handle: Handle) -> None:
        plan, queries = Plan.from_json(handle.job.spec), queries_of(handle.job)
        parts = plan.parts()
        memory = [memory_of(handle.job, number) for number in range(len(parts))]
        before, replies, asking = Spent(), replies_of(handle.job), Requests(handle.job.lines(JUDGE_ASKED))
        for one in memory:
            before = one.spent(before)
        before = replies.spent_with(before)
        own = Purse(plan.cap, what="this run", way_out=WAY_OUT, spent=before)
        done = [_n_whole(handle.job, part, queries, number) for number, part in enumerate(parts)]
        judge = (lambda: replies.own) if plan.judge else None
        lost_replies = asking.cut_off + sum(one.asked.cut_off for one in memory)
        names = [part.part_name for part in parts]
        telling = Telling(handle, names, done, len(queries), own.spent, judge, lost_replies)

        def go(number: int) -> None:
            part, (texts, asked) = parts[number], (memory[number].texts, memory[number].asked)
            engine, writer = open_parts(part)
            writer = capped(remembering(writer, asked, handle.cancel), own, *purses)
            tell = telling.of_part(number)
            EvaluatingJob(handle, part, queries, engine, writer, texts, tell, telling.between, number).go()

        try:
            lost = _each(handle.job, parts, queries, go, telling)
            if len(lost) < len(parts):
                judge_run(handle, plan, queries, replies, asking, telling, open_parts, (own, *purses))
            _end(parts, lost)
        finally:
            replies.close()
            asking.close()
            for one in memory:
                one.close()
            handle.note(telling.details())

    return work


def _each(
    job: Job, parts: Sequence[Plan], queries: Sequence[JudgedQuery], go: Callable[[int], None], telling: Telling
) -> dict[int, Exception]:
    """Why parts are not whole, by their number.

    :raises Exception: the one part's own, where there are no others.
    """
    lost: dict[int, Exception] = {}
    for number, part in enumerate(parts):
        if is_whole(job, part, queries, number):
            telling.of_part(number)(len(queries))
            continue
        same = [lost[one] for one in lost if parts[one].writer == part.writer and isinstance(lost[one], WriterFails)]
        try:
            if same:  # it would fail as often again
                raise same[0]
            go(number)
        except (Cancelled, CapReached):
            raise
        except Exception as error:
            if len(parts) == 1:
                raise
            lost[number] = error
            telling.lost(number, sentence(error))
    return lost


def _end(parts: Sequence[Plan], lost: Mapping[int, Exception]) -> None:
    """:raises QueryPrismError: where another try may bring what is missing, and where there is nothing at all. An
    index that is gone stays gone: what the other parts have is then all there is.
    """
    if lost and len(lost) == len(parts):
        raise next(iter(lost.values()))
    again = {number: error for number, error in lost.items() if not isinstance(error, IndexProblem)}
    if not again:
        return
    names = "; ".join(parts[number].part_name for number in again)
    first = next(iter(again.values()))
    said = f"{len(again)} of {len(parts)} parts are not whole ({names}); the others are. {sentence(first)}"
    of_writer = any(isinstance(error, WriterError | BadSetting) for error in again.values())
    raise WriterFails(said) if of_writer else QueryPrismError(said)


def _n_whole(job: Job, plan: Plan, queries: Sequence[JudgedQuery], part: int) -> int:
    found = places_found(job, plan, part)
    return sum(all((query.id, mode) in found for mode in plan.modes) for query in queries)
