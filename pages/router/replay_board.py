"""The replay's leaderboard: each way to choose routes against always-original, on the same queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ir_core.evaluation import SMALL_N, Difference, Plan, parse
from ir_core.evaluation.replay_job import Replayed
from ir_core.jobs import Job
from pages._ui import numbers, safe
from pages.router.replay_figures import ORACLE, PLAIN_ORACLE, Line

HOW = (
    "Differences are paired with always-original on the same queries; brackets are the 95 % interval of a bootstrap, "
    "not corrected for how many lines there are. An interval with zero in it is no evidence of a difference. Calls "
    "are requests to the writer, searches query texts searched, both with the decider's own. Random: the mean over "
    "routes drawn as often as each label was given. Oracle: each query's best route of that table, chosen with the "
    "judgements in hand; above the oracle over four plain settings (dense, lexical, hybrid, dense doubled) lies its "
    "headroom. Regret: the best value among the table's routes less that of the route taken."
)


def show(lines: Sequence[Line], found: Sequence[Replayed], shown: Sequence[Replayed], plan: Plan, job: Job) -> None:
    label = parse(plan.measures[0]).label
    half = f", the test half of {len(found):,}" if len(shown) < len(found) else ""
    safe.heading(f"{label} · {numbers.count(len(shown), 'query', 'queries')}{half}", 3)
    if len(shown) < SMALL_N:
        safe.notice("warning", f"Below {SMALL_N} queries intervals are too short, and only large differences show.")
    fell = Counter(one.decision.fallback_reason for one in shown if one.decision.fallback_reason)
    if fell:
        said = f"Rules decided for {sum(fell.values()):,} of {len(shown):,} in place of the decider that was chosen."
        safe.notice("warning", said, detail=fell.most_common(1)[0][0])
    if not any(line.name.endswith("best single of tune") for line in lines):
        safe.notice("info", "Only one half was replayed, so no best single transform was chosen on the other.")
    if said := headroom(lines):
        safe.notice("info", said)
    safe.draw(table(lines, label) + safe.block(HOW, "qp-facts", "p"))


def headroom(lines: Sequence[Line]) -> str:
    """Where no oracle is above that of noise alone; blank where one is, or nothing is known of it."""
    plain = next((line.mean for line in lines if line.name == PLAIN_ORACLE), None)
    best = max((line.mean for line in lines if line.name.endswith(ORACLE)), default=None)
    if plain is None or best is None or best > plain:
        return ""
    return (
        f"The best oracle of a table ({best:.3f}) is no higher than that over four settings of the plain search "
        f"({plain:.3f}), where nothing was transformed: choosing among these routes shows no headroom here."
    )


def table(lines: Sequence[Line], label: str) -> str:
    """Everything in it is escaped. It is moved sideways where it does not fit."""
    edges = [edge for line in lines if line.difference for edge in (line.difference.low, line.difference.high)]
    reach = max((abs(edge) for edge in edges if edge), default=1.0)
    heads = ("routes", label, "to always-original", "calls", "searches", "time", "cost", "regret")
    head = "".join(f'<th scope="col">{safe.text(one)}</th>' for one in heads)
    rows = []
    for line in lines:
        cells = [
            f'<td class="qp-board-first">{line.mean:.3f}</td>',
            f"<td>{compared(line.difference, reach)}</td>",
            *(f"<td>{safe.text(value)}</td>" for value in _figures(line)),
        ]
        rows.append(f'<tr><th scope="row"><bdi>{safe.text(line.name)}</bdi></th>{"".join(cells)}</tr>')
    return (
        f'<div class="qp-board qp-plain" role="region" aria-label="Replay" tabindex="0"><table><thead><tr>{head}</tr>'
        f"</thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _figures(line: Line) -> list[str]:
    """What a line does not have is left empty: nobody runs an oracle."""
    if line.calls is None or line.searches is None:
        return ["", "", "", "", ""]
    return [
        f"{line.calls:.2f}",
        f"{line.searches:.2f}",
        numbers.seconds(line.seconds),
        numbers.dollars(line.cost_usd),
        "" if line.regret is None else f"{line.regret:.3f}",
    ]


def compared(found: Difference | None, reach: float) -> str:
    """The interval as a line around zero, as figures, and how many queries went up and down."""
    if found is None:
        return "<span>baseline</span>"
    drawn, between = "", ""
    if found.low is not None and found.high is not None:
        low, high, mean = (50 + 46 * edge / reach for edge in (found.low, found.high, found.mean or 0.0))
        css = " qp-forest-told" if found.is_evidence else ""
        drawn = (
            f'<span class="qp-forest{css}" aria-hidden="true" '
            f'style="--lo:{low:.1f}%;--hi:{100 - high:.1f}%;--at:{mean:.1f}%"></span>'
        )
        between = f" [{signed(found.low)}, {signed(found.high)}]"
    return (
        f'{drawn}<span class="qp-board-figures">{safe.text(signed(found.mean) + between)}</span>'
        f'<span class="qp-board-how">{found.wins} up, {found.ties} tied, {found.losses} down</span>'
    )


def signed(value: float | None) -> str:
    if value is None:
        return numbers.UNKNOWN
    return "0.000" if abs(value) < 0.000_5 else f"{value:+.3f}".replace("-", "−")
