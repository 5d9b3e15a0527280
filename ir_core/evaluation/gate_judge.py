"""The branch of the ship gate that goes by a judge's score, from 0 to 100."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ir_core.evaluation.gate_result import Trial
from ir_core.evaluation.intervals import Difference
from ir_core.evaluation.measures import JUDGE, parse
from ir_core.evaluation.result import Evaluation

UNTESTED = "the branch by judge score is untested."


def judged(boss: Evaluation, slot: int) -> tuple[float | None, Difference | None]:
    """The mean score of one transform, and what it gains over none on the questions rated under both, in points of
    100; None where nothing was rated."""
    name = _measure(boss)
    if name is None:
        return None, None
    total = boss.summary(boss.columns[slot], compared=[name])
    score, gain = total.means[name], total.difference[name]
    if score is None or gain.mean is None:
        return None, None
    low, high = (None if edge is None else 100 * edge for edge in (gain.low, gain.high))
    return 100 * score, replace(gain, mean=100 * gain.mean, low=low, high=high)


def judge_notes(boss: Evaluation, trials: Sequence[Trial]) -> list[str]:
    """What was not rated."""
    name, told = _measure(boss), boss.judging
    if name is None or told is None:
        return [f"No judge rated the results: {UNTESTED}"]
    if all(one.judge_score is None for one in trials):
        return [f"{told.why or 'The judge rated nothing.'} So {UNTESTED}"]
    missing = [
        f"{trial.transform} {count}"
        for trial, column in zip(trials, boss.columns, strict=True)
        if (count := boss.summary(column, compared=[]).unmeasured.get(name))
    ]
    said = [told.why] if told.why else []
    return said + ([f"Questions the judge did not rate: {', '.join(missing)}."] if missing else [])


def _measure(boss: Evaluation) -> str | None:
    return next((name for name in boss.measures if parse(name).family == JUDGE), None)
