"""A replay as a job: each query's routes, decision and routed follow-ups go to disk as they come, once.

What is kept is what every route gives, so that another table of the same routes, another label or another threshold
is read off it (``replay.outcome``) with no new call::

    job = create_replay(plan, tables, ("rules", {}), queries, qrels, title="Help centre", store=JobStore())
    Runner().start(job, replay_work(open_parts))        # open_parts(plan) gives the engine and the writer
    replay_of(job)                                      # what is there so far
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from typing import Any

from ir_core.budget import Purse, Spent, capped, is_cap
from ir_core.errors import BadInput, CapReached
from ir_core.evaluation.answers import usable
from ir_core.evaluation.asked import Requests, remembering
from ir_core.evaluation.job import QUERIES, WAY_OUT, Parts, asked_of, queries_of
from ir_core.evaluation.job_files import ASKED
from ir_core.evaluation.judged import judged_queries
from ir_core.evaluation.latency import without_vectors
from ir_core.evaluation.measures import ANSWER, Qrels
from ir_core.evaluation.plan import Plan, in_split
from ir_core.evaluation.replay import Cell, Measured, condensed, measurable, measured, routed_cell
from ir_core.evaluation.result import Excluded
from ir_core.jobs import Handle, Job, JobStore
from ir_core.library import JudgedQuery
from ir_core.router import DECIDERS, Context, Decision, Labelled, Reason, Route, RouteTable, from_line, table_of
from ir_core.router.deciders.llm import FELL_BACK
from ir_core.schema import Call
from ir_core.session import warm_up

REPLAY = "replay"
ROWS = "rows.jsonl"
Chosen = tuple[str, Mapping[str, Any]]
"""A decider's name and its settings."""


@dataclass(frozen=True)
class Replayed:
    """One query of a replay. ``followed``: what it gives where it is condensed and routed again, by table."""

    row: Measured
    decision: Decision
    followed: Mapping[str, Cell]


def create_replay(
    plan: Plan,
    tables: Sequence[RouteTable],
    decider: Chosen,
    queries: Sequence[JudgedQuery],
    qrels: Qrels,
    *,
    title: str,
    store: JobStore,
    examples: Sequence[Labelled] = (),
) -> Job:
    """The job, not begun yet. ``plan.transforms`` are the baselines "always X"; its first mode and measure count.

    :raises BadInput: when none of the queries has a judgement (or an answer to look for, where that is measured),
        there is no table, or the measure takes a judge.
    :raises UnknownName, BadSetting: for a decider or setting there is not.
    """
    DECIDERS.make(*decider)
    family = measurable(plan.measures[0]).family
    judged, excluded = judged_queries(in_split(queries, plan.split), qrels)
    if family == ANSWER:
        silent = [query.id for query in judged if not usable(query.answers)]
        judged = [query for query in judged if query.id not in silent]
        excluded += [Excluded(name, "It has no answer that can be looked for.") for name in silent]
    if not judged or not tables:
        raise BadInput("A replay needs a route table and a query with a judgement. Choose another split or corpus.")
    spec = {
        "plan": plan.to_json(),
        "tables": {table.name: table.line for table in tables},
        "decider": [decider[0], dict(decider[1])],
    }
    asked = {
        "queries": [asdict(query) for query in judged],
        "qrels": {query.id: dict(qrels[query.id]) for query in judged},
        "excluded": [asdict(item) for item in excluded],
        "examples": [[one.text, one.label] for one in examples],
    }
    return store.create(REPLAY, spec, title=title, needs_key=plan.writer.needs_key, files={QUERIES: asked})


def tables_of(job: Job) -> dict[str, RouteTable]:
    """Those it was made for, as they were then, by name."""
    return {name: from_line(line, name) for name, line in job.spec["tables"].items()}


def replay_work(open_parts: Callable[[Plan], Parts], *purses: Purse) -> Callable[[Handle], None]:
    """What a runner is given, to begin with or to go on: a query that is there is not asked again.

    :param purses: charged besides the run's own.
    """

    def work(handle: Handle) -> None:
        plan = Plan.from_json(handle.job.spec["plan"])
        requests = Requests(handle.job.lines(ASKED))
        told = Spent(**handle.job.last_state().details.get("spent", {}))
        answered = requests.spent_beyond((), Spent())
        before = max(told, answered, key=lambda one: one.calls)  # after a kill, more was answered than was told
        own = Purse(plan.cap, what="this run", way_out=WAY_OUT, spent=before)
        engine, writer = open_parts(plan)
        asked = asked_of(handle.job)
        examples = [Labelled(text, label) for text, label in asked["examples"]]
        writer = capped(remembering(writer, requests, handle.cancel), own, *purses)
        settings = plan.settings(plan.modes[0])
        context = Context(engine, writer, settings, examples, handle.give_up, plan.use_cache)

        def details() -> dict[str, Any]:
            return {"spent": asdict(own.spent()), "cut_off": requests.cut_off}

        lines, queries = handle.job.lines(ROWS), queries_of(handle.job)
        there = {line["query"] for line in lines.read()}
        todo = [query for query in queries if query.id not in there]
        if todo:
            warm_up(engine, writer)
        with closing(lines), closing(requests):
            for number, query in enumerate(todo, start=len(there)):
                handle.tell(number, len(queries), details(), at_start=len(there))
                try:
                    lines.append(_line(handle.job, plan, query, context, asked["qrels"]))
                finally:
                    handle.note(details())
        handle.tell(len(queries), len(queries), details(), at_start=len(there))

    return work


def _line(job: Job, plan: Plan, query: JudgedQuery, context: Context, qrels: Qrels) -> dict[str, Any]:
    tables, name = tables_of(job), plan.measures[0]
    baselines = [Route(transform, settings) for transform, settings in plan.transforms]
    routes = [*_changed(baselines), *(one for table in tables.values() for one in table.choices)]
    engine, writer, settings = context.engine, context.writer, context.settings
    row = measured(
        without_vectors(engine),
        query,
        routes,
        qrels,
        writer,
        settings,
        measure=name,
        cancel=context.cancel,
        use_cache=context.use_cache,
    )
    decider = DECIDERS.make(*job.spec["decider"])
    decided = decider.decide(query.text, query.history, replace(context, engine=without_vectors(engine)))
    if is_cap((decided.fallback_reason or "").removeprefix(FELL_BACK)):
        raise CapReached(str(decided.fallback_reason).removeprefix(FELL_BACK))
    followed = {}
    for key, table in tables.items():
        found = condensed(
            without_vectors(engine),
            query,
            decider,
            table,
            writer,
            settings,
            context.examples,
            cancel=context.cancel,
            use_cache=context.use_cache,
        )
        if found:
            followed[key] = asdict(routed_cell(query, found, qrels, name))
    told = {
        "label": decided.label, "decider": decided.decider, "reasons": [asdict(one) for one in decided.reasons],
        "confidence": decided.confidence, "confidence_from": decided.confidence_from, "searches": decided.searches,
        "seconds": decided.seconds, "fallback_reason": decided.fallback_reason,
        "keeps_original": decided.keeps_original, "measured": dict(decided.measured),
        "calls": [[one.task, one.model, one.seconds, one.cost_usd] for one in decided.calls],
    }  # fmt: skip
    cells = {key: asdict(cell) for key, cell in row.cells.items()}
    return {"query": query.id, "decision": told, "cells": cells, "followed": followed}


def replay_of(job: Job) -> list[Replayed]:
    """What is there so far, in the order of the queries."""
    lines = {line["query"]: line for line in job.lines(ROWS).read()}
    return [_read(query, lines[query.id]) for query in queries_of(job) if query.id in lines]


def _read(query: JudgedQuery, line: Mapping[str, Any]) -> Replayed:
    told = dict(line["decision"])
    calls = tuple(Call(task, model, seconds=took, cost_usd=cost) for task, model, took, cost in told.pop("calls"))
    reasons = tuple(Reason(**one) for one in told.pop("reasons"))
    cells = {key: Cell(**cell) for key, cell in line["cells"].items()}
    followed = {key: Cell(**cell) for key, cell in line["followed"].items()}
    return Replayed(Measured(query, cells), Decision(**told, reasons=reasons, calls=calls), followed)


def _changed(baselines: Sequence[Route]) -> list[Route]:
    """With the settings that differ from the transforms' own, as tables have them: equal routes get one name."""
    plain = [{"transform": one.transform, "settings": one.settings} for one in baselines]
    return [table_of({"name": "one", "routes": {"simple": one}}).route("simple") for one in plain]
