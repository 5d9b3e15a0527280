"""A run's state, its figures and its verdicts in words."""

from __future__ import annotations

from collections.abc import Sequence

from ir_core.evaluation import Evidence, Plan
from ir_core.evaluation.evidence import WORDS
from ir_core.jobs import Job, JobState
from pages._ui import numbers

PAUSED = {
    "person": "Paused",
    "cap": "Paused: the cap is reached",
    "key": "Paused: needs key",
    "stopped": "Paused: the server stopped",
}
STATES = {
    "queued": "Queued",
    "running": "Running",
    "cancelled": "Cancelled",
    "failed": "Failed",
    "finished": "Finished",
}
MEANINGS = {
    "ndcg": "Normalised discounted cumulative gain: relevant documents count more the higher they stand, and more "
    "the higher their grade; 1 is the best order there is.",
    "recall": "The share of a query's relevant documents that are among the first k.",
    "all_gold_recall": "1 where every document an answer needs is among the first k, else 0.",
    "mrr": "One divided by the rank of the first relevant document, 0 where none is among the first k.",
    "hit": "1 where any relevant document is among the first k, else 0.",
}


def status(state: JobState) -> str:
    return PAUSED.get(state.why or "", "Paused") if state.status == "paused" else STATES[state.status]


def progress(state: JobState, *, stopping: bool = False) -> str:
    """One line: how far, how long still, what it cost."""
    parts = ["Stopping after the texts under way" if stopping else status(state)]
    if state.total:
        parts.append(f"{state.done:,} of {numbers.count(state.total, 'query', 'queries')}")
    if state.status == "running" and not stopping:
        parts.append(
            "measuring seconds" if state.total and state.done == state.total else numbers.left(state.seconds_left)
        )
    if state.seconds >= 1 and not state.is_active:
        parts.append(numbers.seconds(state.seconds))
    parts.append(money(state))
    return " · ".join(part for part in parts if part)


def money(state: JobState) -> str:
    """What the calls of this run took; nothing is said before it began."""
    spent = state.details.get("spent")
    if not spent:
        return ""
    if not spent["calls"]:
        return "no model asked · $0"
    cost = numbers.dollars(spent["cost_usd"]) if spent["cost_usd"] or not spent["unpriced"] else ""
    unknown = f"the cost of {numbers.count(spent['unpriced'], 'call')} unknown" if spent["unpriced"] else ""
    return " · ".join(part for part in (numbers.count(spent["calls"], "call"), cost, unknown) if part)


def about(job: Job, plan: Plan) -> str:
    """What is measured, in one line."""
    transforms = numbers.count(len(plan.transforms) - 1, "transform")
    split = {"all": "all judged queries"}.get(plan.split, f"the {plan.split} half")
    writer = plan.writer.label or plan.writer.name
    return f"{transforms} and Original · {', '.join(plan.modes)} · {split} · {writer} · {when(job.created)}"


def when(moment: str) -> str:
    """An ISO moment in UTC, to the minute."""
    return f"{moment[:10]} {moment[11:16]} UTC"


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


def signed(value: float | None) -> str:
    if value is None:
        return numbers.UNKNOWN
    return "0.000" if abs(value) < 0.000_5 else f"{value:+.3f}".replace("-", "−")


def interval(found: Evidence) -> str:
    if found.low is None:
        return signed(found.mean)
    return f"{signed(found.mean)} [{signed(found.low)}, {signed(found.high)}]"
