"""Measures by ir_measures (MacAvaney et al., ECIR 2022), on the list cut to a number of places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ir_core.config import MAX_K
from ir_core.errors import BadSetting, UnknownName

Qrels = Mapping[str, Mapping[str, int]]
"""Query id to artifact id to relevance; 0 and less is not relevant."""

ANSWER = "answer_in_context"
FAMILIES: Mapping[str, str] = {
    "ndcg": "nDCG",
    "recall": "recall",
    "all_gold_recall": "all-gold recall",
    "mrr": "MRR",
    "success": "success",
    "precision": "precision",
    "map": "MAP",
    ANSWER: "answer in context",
}
JUDGE, ANSWERED, ANSWER_F1 = "judge", "answered", "answer_f1"
JUDGED: Mapping[str, str] = {JUDGE: "judge", ANSWERED: "answered", ANSWER_F1: "answer F1"}
"""What only a model that reads the hits can measure; without one they are "not measured"."""
ALIASES: Mapping[str, str] = {"hit": "success", "hit_rate": "success", "p": "precision", "rr": "mrr", "ap": "map"}
"""Other names of the same measures; old runs call success "hit", its name here then."""
DEFAULT_MEASURES = ("ndcg@10", "recall@5", "recall@10", "mrr@10", "all_gold_recall@5", "success@5")


@dataclass(frozen=True, slots=True)
class Measure:
    """A family and its cut-off. Every value lies in [0, 1] and is better when higher."""

    family: str
    cutoff: int

    @property
    def name(self) -> str:
        return f"{self.family}@{self.cutoff}"

    @property
    def label(self) -> str:
        return f"{FAMILIES.get(self.family) or JUDGED[self.family]}@{self.cutoff}"

    @property
    def times(self) -> int:
        """By what a value is multiplied where it is shown: a judge rates from 0 to 100."""
        return 100 if self.family == JUDGE else 1


def parse(name: str) -> Measure:
    """``"recall@5"`` as a measure.

    :raises UnknownName: for a family there is not.
    :raises BadSetting: for a cut-off that is no whole number from 1 to 100.
    """
    family, _, cutoff = name.strip().lower().replace("-", "_").partition("@")
    family = ALIASES.get(family, family)
    if family not in FAMILIES and family not in JUDGED:
        raise UnknownName("measure", family, (*FAMILIES, *JUDGED))
    if not cutoff.isdecimal() or not 1 <= int(cutoff) <= MAX_K:
        raise BadSetting(f"{name!r} has no usable cut-off; write it as {family}@10, with 1 to {MAX_K} places.")
    return Measure(family, int(cutoff))


def needed(judged: Mapping[str, int]) -> frozenset[str]:
    """The documents an answer cannot do without: those of the highest grade the query has."""
    top = max(judged.values(), default=0)
    return frozenset(doc for doc, grade in judged.items() if grade == top and grade > 0)


def score(
    measures: Sequence[Measure], qrels: Qrels, runs: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, float]]:
    """Query id to measure name to value, for every query of ``runs``; a query that retrieved nothing scores 0.

    Texts are not in ``runs``: ``answer_in_context`` and what a judge says are left out here (``rows``, ``verdicts``).

    :param runs: query id to artifact ids, best first.
    """
    import ir_measures
    from ir_measures import AP, RR, P, R, Success, nDCG

    measures = [measure for measure in measures if measure.family != ANSWER and measure.family not in JUDGED]
    scores: dict[str, dict[str, float]] = {query: dict.fromkeys((m.name for m in measures), 0.0) for query in runs}
    places = {
        query: {doc: float(len(docs) - i) for i, doc in enumerate(docs)} for query, docs in runs.items() if docs
    }
    if not places:
        return scores
    kinds = {
        "ndcg": nDCG, "recall": R, "mrr": RR, "success": Success, "all_gold_recall": R, "precision": P, "map": AP,
    }  # fmt: skip
    gold = {query: dict.fromkeys(needed(qrels[query]), 1) for query in places}
    for all_gold, judged in ((False, {query: dict(qrels[query]) for query in places}), (True, gold)):
        wanted = {kinds[m.family] @ m.cutoff: m for m in measures if (m.family == "all_gold_recall") is all_gold}
        for found in ir_measures.iter_calc(list(wanted), judged, places) if wanted else ():
            value = float(found.value)
            scores[found.query_id][wanted[found.measure].name] = float(value > 1 - 1e-9) if all_gold else value
    return scores


def unjudged_share(retrieved: Sequence[str], judged: Mapping[str, int]) -> float | None:
    """The share of a list that nobody judged, neither relevant nor not; None for an empty list. All of it counts as
    not relevant in every measure, though nobody looked."""
    return sum(doc not in judged for doc in retrieved) / len(retrieved) if retrieved else None
