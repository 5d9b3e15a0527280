"""What a transform brought for what it took: nDCG@k and recall@k against the original, per call, second, dollar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ir_core.evaluation import Measure, score
from ir_core.schema import SearchResult


@dataclass(frozen=True, slots=True)
class Gain:
    """Scores lie in [0, 1]; ``d_ndcg`` and ``d_recall`` are differences to the original's. ``calls``, ``seconds`` and
    ``cost_usd`` are what it took beyond the original; texts that were kept count at what they took the first time.
    None is unknown; a ratio is also None where its divisor is 0 (nothing was asked, or it was free)."""

    title: str
    ndcg: float
    recall: float
    d_ndcg: float
    d_recall: float
    calls: int
    seconds: float | None
    cost_usd: float | None

    @property
    def is_free(self) -> bool:
        return self.cost_usd == 0

    @property
    def per_call(self) -> float | None:
        """nDCG gained per call."""
        return self.d_ndcg / self.calls if self.calls else None

    @property
    def per_second(self) -> float | None:
        return self.d_ndcg / self.seconds if self.seconds and self.seconds > 0 else None

    @property
    def per_dollar(self) -> float | None:
        return self.d_ndcg / self.cost_usd if self.cost_usd else None


def gains(results: Sequence[SearchResult], judged: Mapping[str, int], k: int) -> list[Gain]:
    """One per result that was searched, the original (the first) included; empty without judgements.

    :param judged: relevance by artifact id; 0 and less is not relevant.
    """
    if not any(grade > 0 for grade in judged.values()) or not results or results[0].formulation.skip_reason:
        return []
    measures = (Measure("ndcg", k), Measure("recall", k))
    searched = [result for result in results if not result.formulation.skip_reason]
    runs = {str(i): [hit.artifact_id for hit in result.fused.hits[:k]] for i, result in enumerate(searched)}
    scores = score(measures, dict.fromkeys(runs, judged), runs)
    found: list[Gain] = []
    for number, result in enumerate(searched):
        ndcg, recall = (scores[str(number)][measure.name] for measure in measures)
        base = found[0] if found else None
        found.append(
            Gain(
                title=result.formulation.title,
                ndcg=ndcg,
                recall=recall,
                d_ndcg=ndcg - base.ndcg if base else 0.0,
                d_recall=recall - base.recall if base else 0.0,
                calls=len(result.formulation.calls),
                seconds=_seconds(result, searched[0]),
                cost_usd=_total([call.cost_usd for call in result.formulation.calls]),
            )
        )
    return found


def _seconds(result: SearchResult, original: SearchResult) -> float | None:
    """Beyond the original's; calls of one transform run side by side, so a kept text's first time is the longest."""
    first = [call.first_s for call in result.formulation.calls if call.cached]
    known = [one for one in first if one is not None]
    if len(known) < len(first):
        return None
    return result.trace.latency_s + max(known, default=0.0) - original.trace.latency_s


def _total(parts: Sequence[float | None]) -> float | None:
    known = [part for part in parts if part is not None]
    return sum(known) if len(known) == len(parts) else None
