"""The ship gate: is any of three transforms worth shipping on a corpus, by its hardest questions and without harm?

The boss set (``JudgedQuery.set == "boss"``) must gain; on no regression set (every other judged query, by its set's
name) may what gains fall by more than its paired interval. What fails is said, condition by condition. A set of fewer
than two groups has no interval to fall by: like a corpus without any regression set it decides nothing, and a note
says that it is untested.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence

from ir_core.errors import BadInput
from ir_core.evaluation.evaluating import evaluate
from ir_core.evaluation.gate_judge import judge_notes, judged
from ir_core.evaluation.gate_result import BOSS, TRANSFORMS, Gate, SetResult, Trial
from ir_core.evaluation.judged import judged_queries
from ir_core.evaluation.judging import Judge
from ir_core.evaluation.measures import Qrels
from ir_core.evaluation.result import Evaluation
from ir_core.evaluation.slices import by_category
from ir_core.library import JudgedQuery
from ir_core.protocols import OnProgress, Writer
from ir_core.retrieval import Engine, SearchSettings

MEASURE = "recall@5"
POINTS = 0.10
JUDGE_POINTS = 15.0
MOST_FALLBACKS = 0.20
ROUNDING = 1e-9


def gate(
    engine: Engine,
    queries: Sequence[JudgedQuery],
    qrels: Qrels,
    *,
    writer: Writer,
    settings: SearchSettings,
    judge: Judge | None = None,
    on_progress: OnProgress | None = None,
    cancel: threading.Event | None = None,
    authored: bool = False,
) -> Gate:
    """none, hyde, multi_query and decompose over the boss set and the regression sets.

    A model is asked anew for the boss set, since a kept reply has no latency.

    :param judge: rates the boss set's lists; without one the branch by judge score is untested, which is said.
    :param authored: let authored examples be measured, for a table that calls them so.
    :raises BadInput: when no judged query is in the boss set.
    :raises WriterFails, Cancelled: as ``evaluate``.
    """
    judged, _ = judged_queries(queries, qrels)
    sets: dict[str, list[JudgedQuery]] = {BOSS: []}
    for query in judged:
        sets.setdefault(query.set or "other", []).append(query)
    if not sets[BOSS]:
        raise BadInput(
            f'No judged query of this corpus is in the boss set. Give its hardest questions "set": "{BOSS}" in the '
            "metadata of queries.jsonl."
        )
    found = {
        name: evaluate(
            engine, own, qrels, transforms=[(one, {}) for one in TRANSFORMS.values()], writer=writer,
            settings=settings, measures=(MEASURE,), timed_queries=len(own) if name == BOSS else 0,
            on_progress=on_progress, cancel=cancel, use_cache=name != BOSS, authored=authored,
            judge=judge if name == BOSS else None,
        )
        for name, own in sets.items()
    }  # fmt: skip
    return decide(found)


def decide(found: Mapping[str, Evaluation]) -> Gate:
    """The verdict over evaluations by set, the boss set among them, their columns those of ``TRANSFORMS``."""
    boss = found[BOSS]
    results = tuple(_set(name, one) for name, one in found.items())
    trials = tuple(_trial(slot, boss, results) for slot in range(len(TRANSFORMS)))
    routed, value = _routed(boss)
    reasons = [*_invalid(found), *_no_gain(trials), *_unknown(trials)]
    notes = [*judge_notes(boss, trials), *_notes(results)]
    return Gate(trials, results, tuple(reasons), tuple(notes), routed, value, boss.judging)


def _set(name: str, found: Evaluation) -> SetResult:
    means = [found.summary(column, compared=[]).means[MEASURE] for column in found.columns]
    proof = found.evidence()
    groups = next((one.n_groups for one in proof if one), found.n)
    return SetResult(name, found.n, groups, tuple(means), proof)


def _trial(slot: int, boss: Evaluation, results: Sequence[SetResult]) -> Trial:
    name = list(TRANSFORMS)[slot]
    total = boss.summary(boss.columns[slot], compared=[])
    score, gain = judged(boss, slot)
    proof = results[0].evidence[slot]
    column = boss.columns[slot]
    return Trial(
        transform=name,
        registry_id=column.transform,
        title=column.titles[0] if column.titles else column.label,
        recall=total.means[MEASURE],
        evidence=proof,
        judge_score=score,
        judge_gain=gain,
        latency_s=total.latency_s,
        cost_usd=total.cost_usd,
        fallback_rate=total.fallback_rate,
        by_category={one.name: one.gains[slot] for one in by_category(boss, MEASURE)[1:]},
        falls=tuple(one.name for one in results[1:] if one.falls(slot)),
    )


def _routed(boss: Evaluation) -> tuple[dict[str, str], float | None]:
    """The best transform of each category (the original where it is as good), and the recall of that choice."""
    chosen, total, n = {}, 0.0, 0
    for one in by_category(boss, MEASURE)[1:]:
        means = [-1.0 if mean is None else mean for mean in one.means]
        best = max(range(len(means)), key=lambda slot: (means[slot], -slot))
        chosen[one.name] = list(TRANSFORMS)[best]
        total, n = total + means[best] * one.n, n + one.n
    return chosen, total / n if n else None


def _invalid(found: Mapping[str, Evaluation]) -> list[str]:
    said = []
    for set_name, one in found.items():
        for name, column in zip(TRANSFORMS, one.columns, strict=True):
            where = f"{name} on the set {set_name!r}"
            failed = sum(row.error is not None for row in column.rows)
            unranked = sum(not row.error and not row.retrieved for row in column.rows)
            fallbacks = sum(row.fallback_reason is not None for row in column.rows)
            if failed:
                said.append(f"{where}: {failed} of {len(column.rows)} questions failed.")
            if unranked:
                said.append(f"{where}: {unranked} of {len(column.rows)} questions were not ranked.")
            if fallbacks > MOST_FALLBACKS * len(column.rows):
                share = f"{fallbacks} of {len(column.rows)}"
                said.append(f"{where}: {share} fell back to the original; at most {MOST_FALLBACKS:.0%} may.")
    return said


def _no_gain(trials: Sequence[Trial]) -> list[str]:
    """Empty when one transform gains enough and falls nowhere."""
    base, others = trials[0], trials[1:]
    said, best = [], 0.0
    for one in others:
        gain = (one.recall or 0.0) - (base.recall or 0.0)
        best = max(best, gain)
        rated = (one.judge_gain.mean if one.judge_gain else None) or 0.0
        if gain < POINTS - ROUNDING and rated < JUDGE_POINTS - ROUNDING:
            continue
        if not one.falls:
            return []
        fallen = ", ".join(map(repr, one.falls))
        said.append(f"{one.transform} gains, but falls on the set {fallen} by more than its paired interval.")
    if said:
        return said
    judge_part = "" if base.judge_score is None else f" or {JUDGE_POINTS:.0f} of judge score"
    return [
        f"No transform beats none by {100 * POINTS:.0f} points of {MEASURE}{judge_part}; the best gains "
        f"{100 * best:.1f}."
    ]


def _unknown(trials: Sequence[Trial]) -> list[str]:
    said = [f"The latency of {one.transform} is not known." for one in trials if one.latency_s is None]
    return said + [f"The cost of {one.transform} is not known." for one in trials if one.cost_usd is None]


def _notes(results: Sequence[SetResult]) -> list[str]:
    said = []
    if len(results) == 1:
        said.append("There is no regression query: that nothing falls is untested.")
    for one in results[1:]:
        if proof := one.untested():
            size = f"{_n(proof.n, 'question')} in {_n(proof.n_groups, 'group')}"
            said.append(
                f"The regression set {one.name!r} has {size}, too few for an interval: that nothing falls on it is "
                "untested."
            )
    few = results[0]
    if any(proof is not None and proof.is_small for proof in few.evidence):
        said.append(f"The boss set has {few.n} questions in {few.n_groups} groups: only large gains can show.")
    return said


def _n(count: int, one: str) -> str:
    return f"{count} {one if count == 1 else f'{one}s'}"
