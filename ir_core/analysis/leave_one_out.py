"""What each query is good for: the fused list with that query left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from ir_core.retrieval import Engine, SearchSettings, search_many
from ir_core.retrieval.rejoining import rejoin, without
from ir_core.schema import Hit, Query, SearchResult

Verdict = Literal["useless", "changes the list", "harmful", "helpful"]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """``result`` is what the list would be. ``gone`` are hits that stand there only thanks to the query, ``come``
    those it keeps out, ``moved`` how many others change their rank; among the first k, all of them. ``ndcg`` is of
    the first k without the query, ``ndcg_all`` with it; None without judgements. ``searched``: a mean vector had to
    be made of the other members, and searched."""

    query: Query
    result: SearchResult
    verdict: Verdict
    gone: tuple[Hit, ...]
    come: tuple[Hit, ...]
    moved: int
    ndcg_all: float | None
    ndcg: float | None
    searched: bool


def searched_queries(result: SearchResult, settings: SearchSettings) -> tuple[Query, ...]:
    """Those that were searched in some leg."""
    legs = settings.legs
    return tuple(q for q in result.formulation.queries if q.weight > 0 and any(leg in legs for leg in q.legs))


def leave_one_out(
    engine: Engine, result: SearchResult, settings: SearchSettings, judged: Mapping[str, int] | None = None
) -> list[LeftOut]:
    """One per searched query; empty where there are fewer than two, or nothing was searched.

    The lists already read are joined again, with no call and no search. A member of a mean vector is the exception:
    the mean of the others was never searched, so all such are searched in one batch, with vectors already made.

    :param judged: relevance by artifact id; a query is harmful when nDCG@k is higher without it, helpful when lower.
    """
    queries = searched_queries(result, settings)
    if len(queries) < 2 or result.formulation.skip_reason:
        return []
    averaged = [query for query in queries if result.derived and "dense" in query.legs]
    remaining = [without(result.formulation, query.id) for query in averaged]
    anew = dict(zip((query.id for query in averaged), search_many(engine, remaining, settings), strict=True))
    weights = {query.id: query.weight for query in (*result.formulation.queries, *result.derived)}
    found = []
    for query in queries:
        other = anew.get(query.id)
        if other is None:
            kept = [ranking for ranking in result.rankings if ranking.query_id != query.id]
            other = rejoin(engine, without(result.formulation, query.id), kept, weights, settings)
            other = replace(other, derived=result.derived)
        found.append(_judge(query, result, other, settings.k, judged or {}, searched=query.id in anew))
    return found


def _judge(
    query: Query, result: SearchResult, other: SearchResult, k: int, judged: Mapping[str, int], *, searched: bool
) -> LeftOut:
    before = {hit.artifact_id: hit for hit in result.fused.hits}
    after = {hit.artifact_id: hit for hit in other.fused.hits}
    ndcg_all, ndcg = (_ndcg(list(ids), k, judged) for ids in (before, after))
    verdict: Verdict = "useless" if list(before) == list(after) else "changes the list"
    if ndcg is not None and ndcg_all is not None and abs(ndcg - ndcg_all) > 1e-9:
        verdict = "harmful" if ndcg > ndcg_all else "helpful"
    return LeftOut(
        query=query,
        result=other,
        verdict=verdict,
        gone=tuple(hit for name, hit in before.items() if name not in after),
        come=tuple(hit for name, hit in after.items() if name not in before),
        moved=sum(after[name].rank != hit.rank for name, hit in before.items() if name in after),
        ndcg_all=ndcg_all,
        ndcg=ndcg,
        searched=searched,
    )


def _ndcg(ids: list[str], k: int, judged: Mapping[str, int]) -> float | None:
    if not any(grade > 0 for grade in judged.values()):
        return None
    from ir_core.evaluation import parse, score  # brings the whole of evaluation, which few pages need

    measure = parse(f"ndcg@{k}")
    return score([measure], {"q": judged}, {"q": ids})["q"][measure.name]
