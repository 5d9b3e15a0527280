"""What a run measures, its figures and its verdicts in words."""

from __future__ import annotations

from collections.abc import Sequence

from ir_core.evaluation import Evaluation, Evidence, Plan, parse
from ir_core.evaluation.evidence import WORDS
from ir_core.evaluation.shown import shown_difference
from ir_core.jobs import Job
from pages._ui import filters, numbers, run_words

MEANINGS = {
    "ndcg": "Normalised discounted cumulative gain: relevant documents count more the higher they stand, and more "
    "the higher their grade; 1 is the best order there is.",
    "recall": "The share of a query's relevant documents that are among the first k.",
    "all_gold_recall": "1 where every document an answer needs is among the first k, else 0.",
    "mrr": "One divided by the rank of the first relevant document, 0 where none is among the first k.",
    "success": "1 where any relevant document is among the first k, else 0 (also called hit rate).",
    "precision": "The share of the first k places that hold a relevant document; places left empty count as misses.",
    "map": "Mean average precision: the precision at the place of each relevant document among the first k, added up "
    "and divided by the number of relevant documents.",
    "answer_in_context": "1 where a gold answer stands, word for word but for case, punctuation and articles, in one "
    "of the first k passages found, else 0. Queries without an answer, and answers that are yes, no or shorter than "
    "three letters, are left out and counted.",
    "judge": "How far the first k suffice to answer the query, from 0 to 100, as a model rates them by the rubric of "
    "the run: the mean over its repeats. What it did not rate is left out and counted.",
    "answered": "1 where the answer that a model wrote from the first k alone holds an answer known to be right "
    "(SQuAD normalisation), else 0. Queries without a known answer are left out and counted.",
    "answer_f1": "How far the words of that answer are those of a known one: token F1 as in SQuAD, the best over the "
    "known answers.",
}


def about(job: Job, plan: Plan) -> str:
    """What is measured, in one line."""
    transforms = numbers.count(len(plan.transforms) - 1, "transform")
    split = {"all": "all judged queries"}.get(plan.split, f"the {plan.split} half")
    split += f" of the set {plan.query_set}" if plan.query_set else ""
    parts = [transforms + " and Original", ", ".join(plan.modes), split, _with_what(plan)]
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
