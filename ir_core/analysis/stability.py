"""Stability: the same transform asked several times, and how alike what it finds is each time.

Agreement of lists by Jaccard (1901) on the first k and by rank-biased overlap (Webber, Moffat and Zobel, TOIS 2010).
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import fmean, pstdev

from ir_core.analysis.agreement import Matrix, agreement
from ir_core.compare import formulate
from ir_core.errors import Cancelled
from ir_core.evaluation import Measure, score
from ir_core.protocols import Transform, Writer
from ir_core.retrieval import Engine, SearchSettings, search
from ir_core.schema import SearchResult, Turn

MAX_TIMES = 10
"""A classroom's patience, and a bound on what one click can cost."""


@dataclass(frozen=True, slots=True)
class Stability:
    """Of ``n`` runs, over every pair of them: mean and least Jaccard@k and RBO. ``distinct_texts`` counts the
    different sets of queries, ``distinct_lists`` the different first k. Overlaps are None where nothing was found.
    ``ndcg`` holds each run's nDCG@k, None without judgements. ``fell_back`` runs searched the original only."""

    n: int
    jaccard: float | None
    least_jaccard: float | None
    rbo: float | None
    least_rbo: float | None
    distinct_texts: int
    distinct_lists: int
    fell_back: int
    ndcg: tuple[float, ...] | None

    @property
    def is_the_same(self) -> bool:
        return self.distinct_texts == 1 and self.distinct_lists == 1

    @property
    def ndcg_spread(self) -> float | None:
        """Standard deviation of the runs' nDCG@k."""
        return pstdev(self.ndcg) if self.ndcg else None


def repeat(
    engine: Engine,
    transform: Transform,
    query: str,
    history: Sequence[Turn],
    writer: Writer,
    settings: SearchSettings,
    times: int,
    cancel: threading.Event,
) -> Iterator[SearchResult]:
    """One result per run, as they finish, one after the other; kept replies are passed over each time.

    Ends early once ``cancel`` is set.
    """
    for number in range(1, times + 1):
        if cancel.is_set():
            return
        try:
            made = formulate(engine, transform, query, history, writer, settings, cancel=cancel, use_cache=False)
        except Cancelled:
            return
        result = search(engine, made, settings)
        yield replace(result, formulation=replace(made, title=f"{made.title}, run {number}"))


def stability(results: Sequence[SearchResult], k: int, judged: Mapping[str, int]) -> Stability | None:
    """None for fewer than two runs: there is no pair to compare.

    :param judged: relevance by artifact id; empty without judgements.
    """
    if len(results) < 2:
        return None
    lists = [[hit.artifact_id for hit in result.fused.hits[:k]] for result in results]
    between = agreement(results, k)
    overlaps, biased = _pairs(between.jaccard), _pairs(between.rbo)
    ndcg = None
    if any(grade > 0 for grade in judged.values()):
        measure = Measure("ndcg", k)
        runs = {str(number): names for number, names in enumerate(lists)}
        scores = score([measure], dict.fromkeys(runs, judged), runs)
        ndcg = tuple(scores[name][measure.name] for name in runs)
    return Stability(
        n=len(results),
        jaccard=fmean(overlaps) if overlaps else None,
        least_jaccard=min(overlaps, default=None),
        rbo=fmean(biased) if biased else None,
        least_rbo=min(biased, default=None),
        distinct_texts=len({_texts(result) for result in results}),
        distinct_lists=len({tuple(names) for names in lists}),
        fell_back=sum(result.formulation.fell_back for result in results),
        ndcg=ndcg,
    )


def _pairs(matrix: Matrix) -> list[float]:
    cells = (matrix[one][other] for one, other in combinations(range(len(matrix)), 2))
    return [cell for cell in cells if cell is not None]


def _texts(result: SearchResult) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((query.role, query.text) for query in result.formulation.queries))
