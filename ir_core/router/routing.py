"""From a query to its route and the result: decide, look the label up, run that transform alone.

The result is that of the transform alone, hit for hit: a router adds a decision, never a ranking of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ir_core.compare import formulate
from ir_core.params import values_of
from ir_core.protocols import Timer, Transform, Writer
from ir_core.retrieval import Engine, SearchSettings, clean_query, search
from ir_core.router._once import Once
from ir_core.router.decision import Context, Decider, Decision, Labelled
from ir_core.router.tables import NO_SEARCH, PLAIN, Route, RouteTable
from ir_core.schema import Formulation, SearchResult, Turn
from ir_core.transforms import TRANSFORMS

NOT_SEARCHED = "The router takes it for small talk, which asks for nothing that a document could answer."
CONDENSE = "condense"


@dataclass(frozen=True)
class Routed:
    """What was decided, what was run, and what that found.

    ``transform`` and ``settings`` are those that give ``result`` on their own ("no_search": nothing does). ``then``
    is the decision about the condensed query, where there was one: ``decision`` is that about the query as it was
    typed, or the same where the table condenses whatever the label. ``n_calls`` are requests to a writer,
    ``n_searches`` query texts searched, both with the deciders' own. ``seconds`` is all of it.
    """

    decision: Decision
    transform: str
    settings: Mapping[str, Any]
    result: SearchResult
    n_calls: int
    n_searches: int
    then: Decision | None = None
    seconds: float = 0.0


@dataclass
class _Run:
    """One query on its way."""

    query: str
    history: tuple[Turn, ...]
    decider: Decider
    table: RouteTable
    context: Context
    before: list[Decision] = field(default_factory=list)

    def routed(self) -> Routed:
        timer = Timer()
        said = any(turn.get("content", "").strip() for turn in self.history)
        if self.table.condense_first and said:
            return replace(self._condensed(None), seconds=timer.seconds)
        decision = self._decide(self.query, self.history)
        route = PLAIN if decision.keeps_original else self.table.route(decision.label)
        if route.then_route and said:
            return replace(self._condensed(decision), seconds=timer.seconds)
        return replace(self._taken(route, decision), seconds=timer.seconds)

    def _decide(self, query: str, history: Sequence[Turn]) -> Decision:
        decision = self.decider.decide(query, history, self.context)
        self.before.append(decision)
        return decision

    def _condensed(self, decision: Decision | None) -> Routed:
        """Condense, decide about what came out, and run both in sequence; once: a follow-up of nothing is plain."""
        first = TRANSFORMS.make(CONDENSE)
        made = self._formulate(first)
        if made.skip_reason:
            found = self._finish(decision or self._decide(self.query, self.history), first, made)
            return replace(found, then=None)
        then = self._decide(made.queries[0].text, ())
        route = PLAIN if then.keeps_original else self.table.route(then.label)
        if route.transform == NO_SEARCH:
            return replace(self._unsearched(decision or then, made), then=then)
        if route.transform in {PLAIN.transform, CONDENSE}:
            return replace(self._finish(decision or then, first, made), then=then)
        chain = TRANSFORMS.make("chain", {"steps": f"{CONDENSE} > {step_of(route)}"})
        after = self._formulate(chain)
        whole = replace(
            after, calls=(*made.calls, *after.calls), steps=(*made.steps, *after.steps),
            seconds=made.seconds + after.seconds, queued=made.queued + after.queued, started=made.started,
        )  # fmt: skip
        return replace(self._finish(decision or then, chain, whole), then=then)

    def _taken(self, route: Route, decision: Decision) -> Routed:
        plain = TRANSFORMS.make(PLAIN.transform)
        if route.transform == NO_SEARCH:
            return self._unsearched(decision, self._formulate(plain))
        transform = TRANSFORMS.make(route.transform, route.settings)
        if transform.name == plain.name and decision.original is not None:
            return self._finish(decision, plain, decision.original.formulation, decision.original)
        return self._finish(decision, transform, self._formulate(transform))

    def _unsearched(self, decision: Decision, made: Formulation) -> Routed:
        """Nothing is searched; what was written until now stays on record."""
        plain = TRANSFORMS.make(PLAIN.transform)
        skipped = replace(made, transform=plain.name, title="Not searched", skip_reason=NOT_SEARCHED)
        return replace(self._finish(decision, plain, skipped), transform=NO_SEARCH, settings={})

    def _formulate(self, transform: Transform) -> Formulation:
        given = self.context
        return formulate(
            given.engine, transform, self.query, self.history, given.writer, given.settings, cancel=given.cancel,
            use_cache=given.use_cache,
        )  # fmt: skip

    def _finish(
        self, decision: Decision, transform: Transform, made: Formulation, found: SearchResult | None = None
    ) -> Routed:
        result = found or search(self.context.engine, made, self.context.settings)
        return Routed(
            decision=decision,
            transform=transform.name,
            settings=values_of(transform),
            result=result,
            n_calls=len(made.calls) + sum(len(one.calls) for one in self.before),
            n_searches=(0 if found else searches_of(result)) + sum(one.searches for one in self.before),
        )


def route(
    engine: Engine,
    query: str,
    *,
    decider: Decider,
    table: RouteTable,
    writer: Writer,
    settings: SearchSettings,
    history: Sequence[Turn] = (),
    examples: Sequence[Labelled] = (),
    cancel: threading.Event | None = None,
    use_cache: bool = True,
) -> Routed:
    """One query, routed.

    :raises BadQuery, BadSetting, BadFilter, UnknownName: for a query or settings that cannot be searched with.
    :raises Cancelled: when a newer query took over.
    """
    text, _ = clean_query(query, engine.index.manifest.language)
    once: Any = Once(writer)
    context = Context(engine, once, settings, tuple(examples), cancel or threading.Event(), use_cache)
    return _Run(text, tuple(history), decider, table, context).routed()


def searches_of(result: SearchResult) -> int:
    """Query texts searched for it, each in whatever legs, those for feedback too."""
    return len({one.query_id for one in result.rankings}) + sum(len(s.queries) for s in result.formulation.steps)


def step_of(route: Route) -> str:
    """As steps of a chain."""
    if route.transform == "chain":
        return str(values_of(TRANSFORMS.make("chain", route.settings))["steps"])
    pairs = ", ".join(f"{key}={value}" for key, value in route.settings.items())
    return f"{route.transform}({pairs})" if pairs else route.transform
