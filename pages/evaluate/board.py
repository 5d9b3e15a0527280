"""The leaderboard of one mode: a row per transform, each against the original on the same queries."""

from __future__ import annotations

from collections.abc import Sequence

from ir_core.evaluation import Column, Difference, Evaluation, Evidence, Summary, parse
from ir_core.evaluation.judge_words import unmeasured_words
from ir_core.evaluation.meanings import MEANINGS
from ir_core.evaluation.measures import ANSWER, JUDGED
from ir_core.evaluation.oddities import ALL_TIES, all_tie, few_groups
from ir_core.evaluation.shown import shown
from ir_core.params import params_of
from ir_core.transforms import TRANSFORMS
from pages._ui import numbers, safe
from pages.evaluate import judged, words

HEAD = ("won / tied / lost", "seconds", "cost per query", "n", "fell back", "unjudged")
TOLD = {
    "won / tied / lost": "Queries on which the primary measure is higher than the original's, the same, lower",
    "fell back": "Queries for which nothing usable was written, so that the original was searched",
    "n": "Queries measured; those a transform skipped are left out",
    "cost per query": "Of the calls to the writer, on average; kept replies at the price of then",
    "seconds": "What a user would wait, on average, measured one at a time after the scores; in small p50 / p95: "
    "half of the timed queries, and 95 in 100 of them, stay below",
    "unjudged": "The share of the first k that nobody judged; every measure counts those documents as not relevant",
}


Proof = Sequence[Evidence | None]


def show(found: Evaluation, sums: Sequence[Summary], proof: Proof, *, mode: str) -> None:
    first = parse(found.measures[0]).label
    safe.heading(f"{mode.capitalize()} · {first}", 3)
    for kind, said in remarks(found, sums, proof):
        safe.notice(kind, said)
    if found.n:
        safe.draw(table(found, sums, proof, mode=mode))
        if said := [*unmeasured(sums), *judged.facts(found)]:
            safe.draw(safe.block(" ".join(said), "qp-facts", "p"))


def remarks(found: Evaluation, sums: Sequence[Summary], proof: Proof) -> list[tuple[safe.Kind, str]]:
    """What has to be known before any figure is read."""
    if not found.n:
        return [("info", "No query is through all transforms yet.")]
    said: list[tuple[safe.Kind, str]] = []
    if few := few_groups(found.n, proof):
        said.append(("warning", few))
    if all_tie(sums, found.measures[0]):
        said.append(("info", ALL_TIES))
    if found.missing_gold:
        shown = ", ".join(found.missing_gold[:8]) + (" …" if len(found.missing_gold) > 8 else "")
        count = numbers.count(len(found.missing_gold), "judged document is", "judged documents are")
        said.append(("warning", f"{count} not in the index, so nobody can find it: {shown}"))
    return said


def unmeasured(sums: Sequence[Summary]) -> list[str]:
    """Queries that a measure has nothing to go by for: they are in the others only."""
    return [
        f"{parse(name).label}: {numbers.count(count, 'query has', 'queries have')} no answer that can be looked for "
        "(none, yes or no, or under three letters)."
        if parse(name).family == ANSWER
        else f"{unmeasured_words(name, count)}."
        for name, count in sums[0].unmeasured.items()
    ]


def table(found: Evaluation, sums: Sequence[Summary], proof: Proof, *, mode: str) -> str:
    """One HTML table; everything in it is escaped."""
    first, *others = found.measures
    others.sort(key=lambda name: parse(name).family not in JUDGED)  # the end may be beyond the edge of the screen
    differences = [total.difference[first] for total in sums]
    reach = max((abs(edge) for one in proof if one for edge in (one.low, one.high, one.mean) if edge), default=1.0)
    head = "".join(
        f'<th scope="col" title="{safe.text(told)}">{safe.text(name)}</th>'
        for name, told in [
            ("transform", "What became of the query; the original is the baseline"),
            (parse(first).label, MEANINGS[parse(first).family]),
            (
                f"to the original [{words.level(proof)}]",
                "Mean paired difference, its bootstrap interval, and the test",
            ),
            *((name, TOLD[name]) for name in HEAD),
            *((parse(name).label, MEANINGS[parse(name).family]) for name in others),
        ]
    )
    rows = []
    for slot, (column, total) in enumerate(zip(found.columns, sums, strict=True)):
        name = column.titles[0] if column.titles else column.label
        cells = [
            f'<th scope="row"><span class="qp-board-name"><span class="qp-no">{slot + 1}</span>'
            f"<span><bdi>{safe.text(name)}</bdi>"
            f'<span class="qp-board-how">{safe.text(_changed(column))}</span></span></span></th>',
            f'<td class="qp-board-first"{judged.hover(first, column)}>{shown(first, total.means[first])}</td>',
            f"<td>{_compared(proof[slot], reach, first)}</td>",
            *(f"<td>{_two_lines(*lines)}</td>" for lines in _figures(slot, total, differences[slot])),
            *(f"<td{judged.hover(one, column)}>{shown(one, total.means[one])}</td>" for one in others),
        ]
        rows.append(f"<tr>{''.join(cells)}</tr>")
    label = safe.text(f"Leaderboard, {mode}")
    return (
        f'<div class="qp-board" role="region" aria-label="{label}" tabindex="0"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _changed(column: Column) -> str:
    """What files call it, and the settings that are not the defaults, in words."""
    own = [one for one in params_of(TRANSFORMS.get(column.transform)) if column.settings[one.name] != one.default]
    return ", ".join([column.transform, *(f"{one.label.lower()} {column.settings[one.name]}" for one in own)])


def _two_lines(value: str, below: str = "") -> str:
    return safe.text(value) + (f'<span class="qp-board-how">{safe.text(below)}</span>' if below else "")


def _figures(slot: int, total: Summary, difference: Difference) -> list[tuple[str, ...]]:
    skipped = f" ({total.skipped} skipped)" if total.skipped else ""
    failed = f", {total.failed} failed" if total.failed else ""
    cost, p50, p95 = total.cost_usd, numbers.seconds(total.p50_s), numbers.seconds(total.p95_s)
    return [
        (f"{difference.wins} / {difference.ties} / {difference.losses}" if slot else "",),
        ("not measured",) if total.latency_s is None else (numbers.seconds(total.latency_s), f"{p50} / {p95}"),
        (numbers.dollars(cost), f"{numbers.dollars(1_000 * cost)} per 1,000" if cost else ""),
        (f"{total.n}{skipped}",),
        ("" if total.fallback_rate is None or not slot else f"{total.fallback_rate:.0%}{failed}",),
        (numbers.UNKNOWN if total.unjudged is None else f"{total.unjudged:.0%}",),
    ]


def _compared(found: Evidence | None, reach: float, measure: str) -> str:
    """The interval as a line around zero, as figures, and in words."""
    if found is None:
        return "<span>baseline</span>"
    drawn = ""
    if found.low is not None and found.high is not None:
        low, high, mean = (50 + 46 * edge / reach for edge in (found.low, found.high, found.mean or 0.0))
        css = " qp-forest-told" if found.verdict in {"better", "worse"} else ""
        drawn = (
            f'<span class="qp-forest{css}" aria-hidden="true" '
            f'style="--lo:{low:.1f}%;--hi:{100 - high:.1f}%;--at:{mean:.1f}%"></span>'
        )
    return (
        f'{drawn}<span class="qp-board-figures">{safe.text(words.interval(found, measure))}</span>'
        f'<span class="qp-board-how">{safe.text(words.verdict(found))}</span>'
    )
