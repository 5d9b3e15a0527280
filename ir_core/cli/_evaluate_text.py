"""The figures of a run as text for a terminal and as JSON; of several parts one table over all of them first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ir_core.cli._tables import Cell, dollars, plain, seconds, table

if TYPE_CHECKING:
    from ir_core.evaluation import Column, Evaluation, Evidence, Plan
    from ir_core.evaluation.overview import Line, Place
    from ir_core.jobs import Job

HOW = "significant: paired randomisation test, Holm over the transforms, 5 %; p is the corrected one"
APART = "to the first: query by query, across parts and modes; paired bootstrap at 95 %, not corrected and no test"


def text_of(job: Job, plan: Plan, found: Mapping[Place, Evaluation], lines: Sequence[Line]) -> str:
    """Every part in every mode, each under its name where there are several."""
    from ir_core.evaluation import part_states

    parts, states = plan.parts(), part_states(job)
    said = [_whole(plan, lines), APART] if len(found) > 1 and lines else []
    for (number, mode), one in found.items():
        if len(found) > 1:
            said += ["", f"== {plain(parts[number].part_name)} · {mode}"]
            if states and states[number].why:
                said.append(plain(f"{states[number].done} of {states[number].total} queries. {states[number].why}"))
        said.append(_text(one, parts[number]) if one.n else "no query is through yet")
    return "\n".join(said)


def _whole(plan: Plan, lines: Sequence[Line]) -> str:
    from ir_core.evaluation.evidence import WORDS
    from ir_core.evaluation.shown import shown, shown_difference

    first, parts = plan.measures[0], plan.parts()
    rows: list[list[Cell]] = []
    for line in [lines[0], *sorted(lines[1:], key=lambda one: -(one.value or 0.0))]:
        part, proof, apart = parts[line.part], line.proof, line.apart
        by = (part.writer.label or part.writer.name) if line.slot else ""
        edges = [] if apart is None else [shown_difference(first, one) for one in (apart.mean, apart.low, apart.high)]
        rows.append([
            line.title, *([part.strategy, by] if plan.also else []), line.mode, shown(first, line.value),
            shown_difference(first, proof.mean) if proof else "", WORDS[proof.verdict] if proof else "",
            seconds(line.total.latency_s), dollars(line.total.cost_usd),
            f"{edges[0]} [{edges[1]}, {edges[2]}]" if edges else "",
        ])  # fmt: skip
    head = ["transform", *(["strategy", "writer"] if plan.also else []), "mode", first, "to the original", "", "time"]
    return table([*head, "cost", "to the first [95 %]"], rows)


def _text(found: Evaluation, part: Plan) -> str:
    """A replay is named, with what its figures are: nothing was written now."""
    from ir_core.evaluation.judge_words import told, unmeasured_words
    from ir_core.evaluation.oddities import ALL_TIES, all_tie, few_groups
    from ir_core.evaluation.shown import shown
    from ir_core.writers import RECORDED

    first, *others = found.measures
    rows: list[list[Cell]] = []
    sums = [found.summary(column, compared=[first]) for column in found.columns]
    proofs = found.evidence()
    for column, proof, total in zip(found.columns, proofs, sums, strict=True):
        difference = total.difference[first]
        rows.append(
            [
                column.titles[0] if column.titles else column.label,
                total.n,
                shown(first, total.means[first]),
                _difference(proof, first) if proof else "",
                "" if column is found.columns[0] else f"{difference.wins}/{difference.ties}/{difference.losses}",
                *(shown(name, total.means[name]) for name in others),
                "" if total.fallback_rate is None else f"{total.fallback_rate:.0%}",
                "" if total.latency_s is None else seconds(total.latency_s),
                dollars(total.cost_usd),
            ]
        )
    figures = ["won/tied/lost", *others, "fell back", "time", "cost"]
    head = ["transform", "n", first, "to the original [interval]", *figures]
    lines = [table(head, rows), HOW]
    if few := few_groups(found.n, proofs):
        lines.append(few)
    if all_tie(sums, first):
        lines.append(ALL_TIES)
    lines += [unmeasured_words(name, count) for name, count in sums[0].unmeasured.items()]
    lines += [plain(said) for said in told(found.judging)] if found.judging else []
    if part.writer.name.startswith(RECORDED):
        lines.append(f"{plain(part.writer.label)}; costs are of then, times only of what needs no writer")
    elif (replies := replies_of(found))["kept"]:
        lines.append(
            f"{replies['kept']} of {replies['calls']} calls were replies kept from before: cost now "
            f"{dollars(replies['cost_now_usd'])}, the first time {dollars(replies['cost_first_usd'])}"
        )
    lines += [line for column in found.columns for line in _skipped(column)]
    lines += [f"not measured: {item.query_id}: {plain(item.reason)}" for item in found.excluded]
    if found.missing_gold:
        lines.append(f"judged, but not in the index: {', '.join(plain(name) for name in found.missing_gold[:20])}")
    return "\n".join(lines)


def replies_of(found: Evaluation) -> dict[str, Any]:
    """All columns' calls, those with a reply kept from before, and the cost now and at first; None is unknown."""
    from ir_core.evaluation.means import total

    rows = [row for column in found.columns for row in column.rows]
    return {
        "calls": sum(row.calls for row in rows),
        "kept": sum(row.kept for row in rows),
        "cost_now_usd": total([row.cost_now_usd for row in rows]),
        "cost_first_usd": total([row.cost_usd for row in rows]),
    }


def _skipped(column: Column) -> list[str]:
    reasons = [row.skip_reason for row in column.rows if row.skip_reason]
    if not reasons:
        return []
    return [f"{column.label}: not measured on {len(reasons)} of {len(column.rows)}: {plain(reasons[0])}"]


def _difference(proof: Evidence, measure: str) -> str:
    from ir_core.evaluation.evidence import WORDS
    from ir_core.evaluation.shown import shown_difference

    mean, low, high = (shown_difference(measure, value) for value in (proof.mean, proof.low, proof.high))
    if proof.low is None or proof.p_holm is None:
        return mean

    said = f"{100 * proof.level:.3g} %, {WORDS[proof.verdict]}, p {proof.p_holm:.2g}"
    return f"{mean} [{low}, {high}] {said}"
