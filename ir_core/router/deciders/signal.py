"""Search first, transform only where the evidence is weak: post-retrieval query performance prediction, after the
score distribution (Cronen-Townsend, Zhou and Croft, SIGIR 2002; Shtok et al., TOIS 2012) and the overlap of two
rankers' lists (Aslam and Pavlu, ECIR 2007)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from ir_core.compare import formulate
from ir_core.params import param
from ir_core.protocols import Timer
from ir_core.retrieval import search
from ir_core.router.deciders.rules import Rules
from ir_core.router.decision import Context, Decision, Reason
from ir_core.router.labels import APART
from ir_core.schema import Hit, Ranking, SearchResult, Turn
from ir_core.transforms import TRANSFORMS

TOP = 5
"""Places looked at in each leg's list."""


@dataclass(frozen=True)
class Signal:
    """Rules give the label; strong evidence keeps the original whatever the table says. A follow-up and small talk
    are not searched for it: their own words say nothing."""

    name: ClassVar[str] = "signal"
    label: ClassVar[str] = "Signal"
    summary: ClassVar[str] = "Searches the original first and transforms it only where its evidence is weak."
    reference: ClassVar[str] = "Shtok et al., Predicting Query Performance by Query-Drift Estimation, TOIS 2012"
    order: ClassVar[int] = 3
    needs_writer: ClassVar[bool] = False
    needs_examples: ClassVar[bool] = False

    threshold: float = param(
        0.85,
        low=0.0,
        high=1.0,
        step=0.01,
        help="Strength of evidence from which the original stays as it is. 0.85 was best on the samples' tune half; "
        "0.4 loses 0.0003 nDCG@10 there and transforms less.",
    )

    def decide(self, query: str, history: Sequence[Turn], context: Context) -> Decision:
        """See ``Decider``; ``measured`` holds gap, agreement and strength."""
        timer = Timer()
        decided = Rules().decide(query, history, context)
        if decided.label in APART:
            return replace(decided, decider=self.name, seconds=timer.seconds)
        made = formulate(context.engine, TRANSFORMS.make("identity"), query, (), context.writer, context.settings)
        result = search(context.engine, made, context.settings)
        return replace(self.held(decided, result), seconds=timer.seconds)

    def held(self, decided: Decision, result: SearchResult) -> Decision:
        """The rules' decision held against what the original's search found; another threshold needs no search.

        :param result: of the original, with its lists by leg.
        """
        measured = evidence(result.rankings)
        strength = measured["strength"]
        strong = strength >= self.threshold
        said = "strong: the original stays" if strong else "weak: the label's route is taken"
        legs = f", agreement of the legs {measured['agreement']:.2f}" if "agreement" in measured else ""
        reason = Reason(f"evidence {strength:.2f} (score gap {measured['gap']:.2f}{legs}), {said}")
        return replace(
            decided, decider=self.name, reasons=(reason, *decided.reasons), searches=1, keeps_original=strong,
            original=result, measured=measured,
        )  # fmt: skip


def evidence(rankings: Sequence[Ranking]) -> dict[str, float]:
    """``gap``: how far the first score stands above the fifth, as a share of it, mean over the legs; ``agreement``
    (two legs only): share of the first five that both found; ``strength``: the mean of both. All in [0, 1]."""
    lists = [ranking.hits[:TOP] for ranking in rankings]
    gap = sum(map(_gap, lists)) / max(1, len(lists))
    if len(lists) < 2:
        return {"gap": gap, "strength": gap}
    one, other = ({hit.artifact_id for hit in hits} for hits in lists[:2])
    agreement = len(one & other) / max(1, min(len(one), len(other))) if one and other else 0.0
    return {"gap": gap, "agreement": agreement, "strength": (gap + agreement) / 2}


def _gap(hits: Sequence[Hit]) -> float:
    if not hits or hits[0].score <= 0:
        return 0.0
    last = hits[-1].score if len(hits) == TOP else 0.0
    return min(1.0, max(0.0, (hits[0].score - last) / hits[0].score))
