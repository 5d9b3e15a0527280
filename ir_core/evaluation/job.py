"""An evaluation as a job: what is written and found goes to disk query by query, and is never asked for twice.

``texts.jsonl`` holds what was written, by query and column; ``results.jsonl`` what was found, by query, column and
mode; ``seconds.jsonl`` the latency, measured last and alone; ``queries.json`` the queries and judgements of then.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, replace
from typing import Any

from ir_core.budget import Cap, Purse, capped
from ir_core.compare import chosen
from ir_core.errors import BadInput
from ir_core.evaluation import controls
from ir_core.evaluation.answered import AnsweredWriter, spent_beyond
from ir_core.evaluation.judged import judged_queries, missing_gold
from ir_core.evaluation.measures import Qrels
from ir_core.evaluation.plan import Plan, in_split
from ir_core.evaluation.result import Row
from ir_core.evaluation.rows import row_of
from ir_core.evaluation.searching import measure_latency, search_batch
from ir_core.evaluation.texts import Texts
from ir_core.evaluation.writing import Written, write_all
from ir_core.jobs import Handle, Job, JobStore
from ir_core.library import JudgedQuery
from ir_core.protocols import Transform, Writer
from ir_core.retrieval import Engine
from ir_core.session import warm_up

KIND = "evaluation"
QUERIES, TEXTS, RESULTS, SECONDS = "queries.json", "texts.jsonl", "results.jsonl", "seconds.jsonl"
ASKED = "asked.jsonl"
WAY_OUT = "Raise the cap of this run and resume it."
Parts = tuple[Engine, Writer]
"""The engine and the writer, not capped yet."""


def create(
    plan: Plan,
    queries: Sequence[JudgedQuery],
    qrels: Qrels,
    *,
    title: str,
    store: JobStore,
    held: Collection[str] | None = None,
) -> Job:
    """The job, not begun yet. Queries outside the plan's split are left out here.

    :param held: ids of the index' documents; judged ones that are not among them are named in the result.
    :raises BadInput: when none of the queries has a judgement.
    """
    wanted = in_split(queries, plan.split)
    judged, excluded = judged_queries(wanted, qrels)
    if not judged:
        where = "" if plan.split == "all" else f" in the split {plan.split!r}"
        raise BadInput(f"No query{where} has a judgement, so there is nothing to measure against.")
    asked = {
        "queries": [asdict(query) for query in judged],
        "qrels": {query.id: dict(qrels[query.id]) for query in judged},
        "excluded": [asdict(item) for item in excluded],
        "missing_gold": [] if held is None else missing_gold([query.id for query in judged], qrels, held),
    }
    return store.create(KIND, plan.to_json(), title=title, needs_key=plan.writer.needs_key, files={QUERIES: asked})


def again(job: Job, plan: Plan, *, store: JobStore) -> Job:
    """A new job over the same queries that searches ``job``'s texts otherwise: other modes, measures or weights.

    :raises BadInput: when the plan asks for other texts than ``job`` has.
    """
    before = Plan.from_json(job.spec)
    same = replace(
        before, modes=plan.modes, measures=plan.measures, dense_weight=plan.dense_weight,
        lexical_weight=plan.lexical_weight, max_calls=plan.max_calls, max_usd=plan.max_usd,
    )  # fmt: skip
    if same != plan:
        raise BadInput("Only modes, measures and weights can change while the texts stay. Start a new run instead.")
    asked, texts = asked_of(job), job.lines(TEXTS).read()
    places = {(line["query"], line["column"]) for line in texts}
    if len(places) == len(asked["queries"]) * len(plan.transforms):  # nobody is asked, so no key is needed
        plan = replace(plan, writer=replace(plan.writer, needs_key=False))
    new = store.create(
        KIND, plan.to_json(), title=job.title, needs_key=plan.writer.needs_key, files={QUERIES: asked}
    )  # fmt: skip
    lines = new.lines(TEXTS)
    lines.append(*texts)
    lines.close()
    return new


def with_cap(job: Job, max_calls: int | None, max_usd: float | None) -> Job:
    """The job with another cap from now on.

    :raises BadSetting: for one below 0.
    """
    plan = replace(Plan.from_json(job.spec), max_calls=max_calls, max_usd=max_usd)
    Cap(max_calls, max_usd)
    changed = replace(job, spec=plan.to_json())
    changed.write()
    return changed


def work_of(open_parts: Callable[[Plan], Parts], *purses: Purse) -> Callable[[Handle], None]:
    """What a runner is given, to begin with or to go on: everything is opened in its own thread.

    :param purses: charged besides the run's own.
    """

    def work(handle: Handle) -> None:
        plan = Plan.from_json(handle.job.spec)
        texts = Texts(handle.job.lines(TEXTS))
        asked = handle.job.lines(ASKED)
        before = spent_beyond(asked, texts.calls, texts.spent())
        own = Purse(plan.cap, what="this run", way_out=WAY_OUT, spent=before)
        engine, writer = open_parts(plan)
        writer = capped(writer, own, *purses)
        if writer.is_llm:
            writer = AnsweredWriter(writer, asked)
        run = _Evaluating(handle, plan, engine, writer, texts, own)
        try:
            run.go()
        finally:
            texts.close()
            asked.close()
            handle.note({"spent": asdict(own.spent())})

    return work


class _Evaluating:
    def __init__(
        self, handle: Handle, plan: Plan, engine: Engine, writer: Writer, texts: Texts, purse: Purse
    ) -> None:
        self.spent = purse.spent
        self.handle, self.plan, self.engine, self.writer, self.texts = handle, plan, engine, writer, texts
        self.columns: list[Transform] = chosen(plan.transforms)
        self.queries = queries_of(handle.job)
        self.results = handle.job.lines(RESULTS)
        places = {(line["query"], line["mode"], line["column"]) for line in self.results.read()}
        counted = Counter((query, mode) for query, mode, _ in places)
        self.found = {
            (query, mode)
            for (query, mode), count in counted.items()
            if count == len(self.columns) + len(controls.in_mode(plan.controls, mode))
        }

    def go(self) -> None:
        order = list(self.queries)
        random.Random(self.plan.seed).shuffle(order)
        todo = [query for query in order if any((query.id, mode) not in self.found for mode in self.plan.modes)]
        at_start = len(order) - len(todo)
        self._tell(at_start, at_start)
        if todo:
            warm_up(self._fresh(), self.writer)
            self._tell(at_start, at_start)
        made = write_all(
            self._fresh(), todo, self.columns, self.writer, self.plan.settings(self.plan.modes[0]),
            self.handle.cancel, use_cache=self.plan.use_cache, seed=self.plan.seed, kept=self.texts,
        )  # fmt: skip
        with closing(made), closing(self.results):
            for number, (query, row) in enumerate(zip(todo, made, strict=True), start=1):
                self._search(query, row)
                self._tell(at_start + number, at_start)
        self._time(order)

    def _search(self, query: JudgedQuery, row: Sequence[Written]) -> None:
        """Its texts together and no others', so that what is found does not depend on where a run was interrupted."""
        fresh = self._fresh()
        for mode in self.plan.modes:
            if (query.id, mode) in self.found:
                continue
            settings = self.plan.settings(mode)
            found = search_batch(fresh, row, settings)
            for leg in controls.in_mode(self.plan.controls, mode):
                found += controls.search_control(fresh, [query], leg, settings)
            lines = [
                {"query": query.id, "column": slot, "mode": mode, "row": _line(row_of(query, one))}
                for slot, one in enumerate(found)
            ]
            self.results.append(*lines)

    def _time(self, order: Sequence[JudgedQuery]) -> None:
        """Latency, one query at a time, on a few of them: the first of the shuffled order."""
        lines = self.handle.job.lines(SECONDS)
        if lines.read() or not self.plan.timed_queries:
            return
        sample = order[: self.plan.timed_queries]
        rows = [[self._kept(query, slot) for slot in range(len(self.columns))] for query in sample]
        found: list[Mapping[str, Any]] = []
        for mode in self.plan.modes:
            self.handle.check()
            measured = measure_latency(self.engine, self.columns, rows, self.plan.settings(mode))
            for query, seconds in zip(sample, measured, strict=True):
                found += [
                    {"query": query.id, "column": slot, "mode": mode, "seconds": value}
                    for slot, value in enumerate(seconds)
                    if value is not None
                ]
        lines.append(*found)
        lines.close()

    def _kept(self, query: JudgedQuery, slot: int) -> Written:
        return self.texts.get(query.id, slot) or "It was not written."

    def _fresh(self) -> Engine:
        """Without any vector that is there before its time."""
        return Engine(self.engine.index, self.engine.embedder, self.engine.reranker)

    def _tell(self, done: int, at_start: int) -> None:
        self.handle.tell(done, len(self.queries), {"spent": asdict(self.spent())}, at_start=at_start)


def queries_of(job: Job) -> list[JudgedQuery]:
    """Those it measures, in the corpus' order."""
    return [
        JudgedQuery(**{**one, "history": tuple(one["history"]), "answers": tuple(one["answers"])})
        for one in asked_of(job)["queries"]
    ]


def asked_of(job: Job) -> dict[str, Any]:
    """Queries, judgements, and what was left out, as they were.

    :raises BadInput: when they cannot be read.
    """
    try:
        found: dict[str, Any] = json.loads((job.folder / QUERIES).read_bytes())
    except (OSError, ValueError) as error:
        raise BadInput(f"The queries of the run {job.id} cannot be read ({error}). Start a new one.") from None
    return found


def _line(row: Row) -> dict[str, Any]:
    """Without what is known of the query anyway, and without the scores, which follow from the judgements."""
    own = asdict(row)
    return {
        name: own[name]
        for name in own
        if name not in {"query_id", "text", "category", "scores", "latency_s", "unjudged"}
    }
