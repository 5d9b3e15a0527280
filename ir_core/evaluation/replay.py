"""Judged queries through every route of some tables, so that any decider's choices can be scored without new calls.

``measured`` runs a query through each route once. ``outcome`` reads the route a decision takes off it, and its
regret: the best value among the table's routes less that of the route taken. A routed follow-up is really routed,
since its second route depends on what was condensed.
"""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from ir_core.budget import is_cap
from ir_core.compare import formulate
from ir_core.errors import BadInput, CapReached
from ir_core.evaluation.latency import seconds_alone
from ir_core.evaluation.means import total
from ir_core.evaluation.measures import JUDGED, Measure, Qrels, parse
from ir_core.evaluation.rows import row_of, scored
from ir_core.library import JudgedQuery
from ir_core.protocols import Writer
from ir_core.retrieval import Engine, SearchSettings, search_many
from ir_core.retrieval.searcher import SearchMemo
from ir_core.router import NO_SEARCH, Decider, Decision, Labelled, Route, Routed, RouteTable, route, searches_of
from ir_core.router.routing import step_of
from ir_core.router.tables import PLAIN
from ir_core.schema import Formulation, SearchResult
from ir_core.transforms import TRANSFORMS

MEASURE = "ndcg@10"
ROUTED = "condense > route"
"""The key of a follow-up that is condensed and routed again."""
TIE = 1e-9


@dataclass(frozen=True, slots=True)
class Cell:
    """What one route gives one query, and takes: writer's calls, query texts searched, seconds a user would wait, US
    dollars (None is unknown). No search scores 0, and so does whatever a query has nothing to be measured by."""

    value: float
    calls: int
    searches: int
    seconds: float = 0.0
    cost_usd: float | None = 0.0

    @property
    def effort(self) -> int:
        return self.calls + self.searches


@dataclass(frozen=True, slots=True)
class Measured:
    """One judged query; ``cells`` by route (``key_of``)."""

    query: JudgedQuery
    cells: Mapping[str, Cell]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A decision scored. ``best`` is the table's best route for the query, of equals the cheapest; ``calls`` and
    ``searches`` have the decider's own in them."""

    query_id: str
    label: str
    taken: str
    value: float
    best: str
    best_value: float
    calls: int
    searches: int

    @property
    def regret(self) -> float:
        return self.best_value - self.value


def key_of(one: Route) -> str:
    """A route's name in ``cells``: as a step of a chain."""
    return ROUTED if one.then_route else step_of(one)


def measured(
    engine: Engine,
    query: JudgedQuery,
    routes: Sequence[Route],
    qrels: Qrels,
    writer: Writer,
    settings: SearchSettings,
    *,
    measure: str = MEASURE,
    cancel: threading.Event | None = None,
    use_cache: bool = True,
) -> Measured:
    """The query through each route alone, its seconds measured apart in shuffled order; a route that is condensed and
    routed again is not among them.

    :raises BadInput: for a measure that only a judge has.
    :raises Cancelled: once ``cancel`` is set.
    :raises CapReached: where a text was not written for want of money, which says nothing of the route.
    """
    wanted = measurable(measure)
    settings = replace(settings, k=max(settings.k, wanted.cutoff))
    memo = SearchMemo()
    keys = {key_of(one): one for one in routes if not one.then_route and one.transform != NO_SEARCH}

    def write(one: Route) -> Formulation:
        made = formulate(
            engine, TRANSFORMS.make(one.transform, one.settings), query.text, query.history, writer, settings,
            cancel=cancel, memo=memo, use_cache=use_cache,
        )  # fmt: skip
        if is_cap(made.fallback_reason):
            raise CapReached(str(made.fallback_reason))
        return made

    if writer.is_llm:
        with ThreadPoolExecutor(max_workers=max(1, len(keys)), thread_name_prefix="replay") as pool:
            made = list(pool.map(write, keys.values()))
    else:
        made = list(map(write, keys.values()))
    results = search_many(engine, made, settings)
    order = list(range(len(made)))
    random.Random(query.id).shuffle(order)
    seconds = {number: seconds_alone(engine, made[number], settings) for number in order}
    cells = {
        key: _cell(query, result, qrels, wanted, seconds[number])
        for number, (key, result) in enumerate(zip(keys, results, strict=True))
    }
    return Measured(query, {**cells, NO_SEARCH: Cell(0.0, 0, 0)})


def measurable(name: str) -> Measure:
    """The measure of that name, by which routes can be told apart.

    :raises UnknownName, BadSetting: as ``parse``.
    :raises BadInput: for one that only a judge has.
    """
    found = parse(name)
    if found.family in JUDGED:
        raise BadInput(f"Routes are measured without a judge, so {found.label} is not known. Choose another measure.")
    return found


def routed_cell(query: JudgedQuery, found: Routed, qrels: Qrels, measure: str = MEASURE) -> Cell:
    """What the whole of a routed query gives and takes."""
    cell = _cell(query, found.result, qrels, parse(measure))
    decided = [call.cost_usd for one in (found.decision, found.then) if one for call in one.calls]
    return Cell(cell.value, found.n_calls, found.n_searches, found.seconds, total([cell.cost_usd, *decided]))


def condensed(
    engine: Engine,
    query: JudgedQuery,
    decider: Decider,
    table: RouteTable,
    writer: Writer,
    settings: SearchSettings,
    examples: Sequence[Labelled] = (),
    *,
    cancel: threading.Event | None = None,
    use_cache: bool = True,
) -> Routed | None:
    """The query really routed, where the table condenses such a one first; None where it does not.

    :raises Cancelled, CapReached: as ``measured``.
    """
    if not query.history or not (table.condense_first or table.route("follow_up").then_route):
        return None
    first = replace(table, condense_first=True)
    found = route(
        engine, query.text, decider=decider, table=first, writer=writer, settings=settings, history=query.history,
        examples=examples, cancel=cancel, use_cache=use_cache,
    )  # fmt: skip
    if is_cap(found.result.formulation.fallback_reason):
        raise CapReached(str(found.result.formulation.fallback_reason))
    return found


def outcome(row: Measured, decision: Decision, table: RouteTable, followed: Cell | None = None) -> Outcome:
    """:param followed: what the query gives where it is condensed and routed again, which ``condensed`` runs."""
    chosen = PLAIN if decision.keeps_original else table.route(decision.label)
    again = followed is not None and (table.condense_first or (chosen.then_route and not decision.keeps_original))
    taken = ROUTED if again else key_of(replace(chosen, then_route=False))
    cells = {**row.cells, **({ROUTED: followed} if followed else {})}
    options = [key_of(one) for one in table.choices if key_of(one) in cells and key_of(one) != NO_SEARCH]
    if followed is not None:
        options.append(ROUTED)
    best = best_of(cells, dict.fromkeys([*options, taken]))
    own = cells[taken]
    reused = taken == key_of(PLAIN) and decision.searches > 0  # the decider's search of the original is the result
    extra = (0, 0) if again else (len(decision.calls), decision.searches - reused)
    return Outcome(
        row.query.id, decision.label, taken, own.value, best, cells[best].value, own.calls + extra[0],
        own.searches + extra[1],
    )  # fmt: skip


def best_of(cells: Mapping[str, Cell], keys: Sequence[str] | Mapping[str, None]) -> str:
    """The key of the best value, of equals the cheapest, then the first."""
    top = max(cells[key].value for key in keys)
    return min((key for key in keys if cells[key].value > top - TIE), key=lambda key: cells[key].effort)


def expected(row: Measured, labels: Counter[str], table: RouteTable, followed: Cell | None = None) -> float:
    """The mean value of routes drawn at random as often as ``labels`` were given: no draw, no chance."""
    total = sum(labels.values())
    values = []
    for label, count in labels.items():
        drawn = outcome(row, Decision(label, "random", ()), table, followed)
        values.append(count * drawn.value)
    return sum(values) / total


def _cell(
    query: JudgedQuery, result: SearchResult, qrels: Qrels, measure: Measure, seconds: float | None = None
) -> Cell:
    row = scored([row_of(query, result)], [measure], qrels)[0]
    value = (row.scores or {}).get(measure.name, 0.0)
    calls = result.formulation.calls
    cost = total([call.cost_usd for call in calls])
    return Cell(value, len(calls), searches_of(result), result.trace.latency_s if seconds is None else seconds, cost)
