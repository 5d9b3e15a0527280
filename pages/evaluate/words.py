"""What a run measures, its figures and its verdicts in words."""

from __future__ import annotations

from collections.abc import Sequence

from ir_core.evaluation import Evaluation, Evidence, Plan, parse
from ir_core.evaluation.evidence import WORDS
from ir_core.evaluation.shown import shown_difference
from ir_core.jobs import Job
from pages._ui import filters, numbers, run_words


def about(job: Job, plan: Plan) -> str:
    """What is measured, in one line."""
    transforms = numbers.count(len(plan.transforms) - 1, "transform")
    parts = [transforms + " and Original", ", ".join(plan.modes), plan.asked_words, _with_what(plan)]
    parts += [f"filter {filters.words(plan.filter)}"] if plan.filter else []
    parts += [f"only {', '.join(plan.surfaces)}"] if plan.surfaces else []
    return " · ".join([*parts, run_words.when(job.created)])


def _with_what(plan: Plan) -> str:
    """The writer; of several parts how many indexes and writers."""
    if not plan.also:
        return plan.writer.label or plan.writer.name
    indexes = len({part.index for part in plan.parts()})
    writers = len({part.writer.name for part in plan.parts()})
    said = [numbers.count(indexes, "strategy", "strategies"), numbers.count(writers, "writer")]
    return " × ".join(said)


def titles(found: Evaluation) -> list[str]:
    """What each column really made, commonest first; else what it is called."""
    return [column.titles[0] if column.titles else column.label for column in found.columns]


def digits(measure: str, sign: str = "") -> str:
    """The format of a measure's figures in a table; a judge's are of 100."""
    return f"%{sign}.{1 if parse(measure).times > 1 else 3}f"


def in_words(category: str | None) -> str:
    """Of a name made for files, as people write it."""
    return (category or "").replace("_", " ")


HOW = (
    "Significant: the paired randomisation test, corrected over the transforms by Holm, at 5 %; the interval is at "
    "the corrected level. Queries of one conversation, or about one document, count as one witness."
)


def level(proof: Sequence[Evidence | None]) -> str:
    return next((f"{100 * one.level:.3g} %" for one in proof if one), "95 %")


def verdict(found: Evidence) -> str:
    """The test alone decides the word "significant"."""
    if found.p_holm is None:
        return "too few queries for a test"
    p = "p < 0.001" if found.p_holm < 0.001 else f"p = {found.p_holm:.2g}"
    return f"{WORDS[found.verdict]}, {p}"


def signed(value: float | None, measure: str | None = None) -> str:
    """In points of 100 where the measure is a judge's."""
    if value is None:
        return numbers.UNKNOWN
    said = f"{value:+.3f}" if measure is None else shown_difference(measure, value)
    return said.replace("-", "−") if said.strip("+-0.") else said.strip("+-")


def interval(found: Evidence, measure: str | None = None) -> str:
    if found.low is None:
        return signed(found.mean, measure)
    return f"{signed(found.mean, measure)} [{signed(found.low, measure)}, {signed(found.high, measure)}]"
