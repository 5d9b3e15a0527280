"""A replay's figures: each way to choose routes as a line of values, paired with always-original on the same queries.

Where both halves were replayed, figures are of the test half; the best single transform and a threshold are chosen on
the tune half.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ir_core.evaluation import Difference, Plan, paired
from ir_core.evaluation.replay import Cell, Outcome, expected, key_of, outcome
from ir_core.evaluation.replay_job import Replayed
from ir_core.router import RouteTable, table_of
from ir_core.writers import FREE_WRITER, STAND_INS
from pages._ui import numbers
from pages.router.decision import named

ORIGINAL = "identity"
ORACLE, PLAIN_ORACLE = ": oracle", "Oracle over four plain settings"


@dataclass(frozen=True)
class Line:
    """One way to choose, over the same queries: calls, searches, seconds, dollars and regret are means per query,
    None where there is none or it is unknown. ``difference`` is to always-original, None for that itself."""

    name: str
    mean: float
    difference: Difference | None = None
    calls: float | None = None
    searches: float | None = None
    seconds: float | None = None
    cost_usd: float | None = None
    regret: float | None = None


def halves(found: Sequence[Replayed]) -> tuple[list[Replayed], list[Replayed]]:
    """What is chosen from, and what is reported: the same list where there is only one half (nothing is chosen then:
    the first is empty)."""
    tune = [one for one in found if one.row.query.split == "tune"]
    test = [one for one in found if one.row.query.split == "test"]
    return (tune, test) if tune and test else ([], list(found))


def outcomes(found: Sequence[Replayed], table: RouteTable) -> list[Outcome]:
    return [outcome(one.row, one.decision, table, one.followed.get(table.name)) for one in found]


def routed(name: str, found: Sequence[Replayed], made: Sequence[Outcome], table: RouteTable) -> Line:
    """What the decider's labels give by this table, its own calls and searches in it."""
    cells = [_taken(one, told, table) for one, told in zip(found, made, strict=True)]
    decided = [0.0 if told.taken not in one.row.cells else one.decision.seconds
               for one, told in zip(found, made, strict=True)]  # fmt: skip
    own = [numbers.total(call.cost_usd for call in one.decision.calls) for one in found]
    cost = numbers.total([*(cell.cost_usd for cell in cells), *own])
    n = len(found)
    return replace(
        _line(name, found, [one.value for one in made]),
        calls=sum(one.calls for one in made) / n,
        searches=sum(one.searches for one in made) / n,
        seconds=(sum(cell.seconds for cell in cells) + sum(decided)) / n,
        cost_usd=None if cost is None else cost / n,
        regret=sum(one.regret for one in made) / n,
    )


def always(found: Sequence[Replayed], key: str, name: str) -> Line:
    cells = [one.row.cells[key] for one in found]
    n, cost = len(cells), numbers.total(cell.cost_usd for cell in cells)
    made = Line(name, sum(cell.value for cell in cells) / n) if key == ORIGINAL else None
    return replace(
        made or _line(name, found, [cell.value for cell in cells]),
        calls=sum(cell.calls for cell in cells) / n,
        searches=sum(cell.searches for cell in cells) / n,
        seconds=sum(cell.seconds for cell in cells) / n,
        cost_usd=None if cost is None else cost / n,
    )


def lines(found: Sequence[Replayed], tables: Mapping[str, RouteTable], plan: Plan) -> list[Line]:
    """Routed by each table, always each baseline, chance and the oracle of each table.

    :param found: at least one.
    """
    tune, shown = halves(found)
    stand_ins = STAND_INS if plan.writer.name == FREE_WRITER else {}
    keys = {_key(name, settings): stand_ins.get(name) or named(name, settings) for name, settings in plan.transforms}
    made = {name: outcomes(shown, table) for name, table in tables.items()}
    rows = [routed(f"Routed by {tables[name].title}", shown, made[name], tables[name]) for name in tables]
    best = _best_single(tune, list(keys))
    for key, title in keys.items():
        rows.append(always(shown, key, f"Always {title}{', the best single of tune' if key == best else ''}"))
    labels = Counter(one.decision.label for one in shown)
    for name, table in tables.items():
        drawn = [expected(one.row, labels, table, one.followed.get(name)) for one in shown]
        rows.append(_line(f"{table.title}: random, as often", shown, drawn))
        rows.append(_line(f"{table.title}{ORACLE}", shown, [one.best_value for one in made[name]]))
    return rows


def with_threshold(found: Sequence[Replayed], threshold: float) -> list[Replayed]:
    """As the signal decider would have decided at another threshold. What was not searched for it has no strength and
    stays as it is."""
    return [
        replace(one, decision=replace(one.decision, keeps_original=strength >= threshold))
        if (strength := one.decision.measured.get("strength")) is not None
        else one
        for one in found
    ]


def _best_single(tune: Sequence[Replayed], keys: Sequence[str]) -> str | None:
    if not tune:
        return None
    means = {key: sum(one.row.cells[key].value for one in tune) for key in keys}
    return max(keys, key=lambda key: round(means[key], 9))  # of equals the first: plan.transforms begins plain


def _line(name: str, found: Sequence[Replayed], values: Sequence[float]) -> Line:
    baseline = [one.row.cells[ORIGINAL].value for one in found]
    return Line(name, sum(values) / len(values), paired(values, baseline))


def plain_oracle(found: Sequence[Replayed], values: Sequence[float]) -> Line:
    """:param values: the best of the four plain settings, query by query."""
    return _line(PLAIN_ORACLE, found, values)


def _taken(one: Replayed, told: Outcome, table: RouteTable) -> Cell:
    return one.row.cells.get(told.taken) or one.followed[table.name]


def _key(transform: str, settings: Mapping[str, object]) -> str:
    route = {"transform": transform, "settings": dict(settings)}
    return key_of(table_of({"name": "one", "routes": {"simple": route}}).route("simple"))
