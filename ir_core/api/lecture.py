"""The functions of a lecture on query transformation: texts from a query, or the hits they find.

Those that return text return the query itself when the LLM fails (and log why); those that return hits search the
query itself then, and their ``fallback_reason`` says so. All of them take ``llm_provider`` (see :mod:`ir_core.api`);
those that search take ``corpus``, as :func:`ir_core.api.corpora.open_corpus` does: None is the bundled help centre.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from ir_core import compare
from ir_core.api._base import turns_of
from ir_core.api._eval_transform import examples_of, measured
from ir_core.api._formulating import Tuned, formulated
from ir_core.api._provider import LlmProvider, writer_or_none
from ir_core.api._ranks import dedup, rrf
from ir_core.api.corpora import open_corpus
from ir_core.api.searching import SearchHits
from ir_core.api.transformers import QueryRewriter
from ir_core.library import Corpus
from ir_core.protocols import Transform
from ir_core.retrieval import Engine, SearchSettings, clean_query, search, search_many
from ir_core.retrieval.joining import EVIDENCE
from ir_core.router import DECIDERS, Context, published
from ir_core.schema import Formulation, Hit, Mode, Query, SearchResult, Turn
from ir_core.transforms import TRANSFORMS

__all__ = [
    "DEPTH",
    "Evidence",
    "condense",
    "decompose_and_retrieve",
    "dedup",
    "eval_transform",
    "expand",
    "hyde",
    "hyde_avg",
    "hyde_hybrid",
    "multi_query",
    "rewrite_query",
    "route_transform",
    "rrf",
    "transform_query",
]

log = logging.getLogger(__name__)
Source: TypeAlias = str | Path | Corpus | Engine | None
DEPTH = 30
"""Hits per query."""
EXPAND_TEMPERATURE = 0.5
"""Wordings, and passages that are averaged, should differ."""


def transform_query(raw: str, history: Sequence[Turn] = (), *, llm_provider: LlmProvider | None = None) -> str:
    """The query to search with: condensed where there is a conversation, else rewritten."""
    if history:
        return condense(history, raw, llm_provider=llm_provider)
    return rewrite_query(raw, llm_provider=llm_provider)


def rewrite_query(raw: str, *, llm_provider: LlmProvider | None = None) -> str:
    """One better-worded query."""
    return QueryRewriter(llm_provider).transform(raw)


def condense(history: Sequence[Turn], follow_up: str, *, llm_provider: LlmProvider | None = None) -> str:
    """The follow-up as a question that can be understood without the conversation; itself where it already is one,
    and where it is small talk.

    :raises BadInput: for a history that is no list of turns.
    """
    made = formulated("condense", follow_up, turns_of(history), llm_provider, temperature=0.0)
    if made.fallback_reason:
        log.warning("condense returned the follow-up itself: %s", made.fallback_reason)
    return made.queries[-1].text


def expand(query: str, n: int = 3, *, llm_provider: LlmProvider | None = None) -> list[str]:
    """The query, then ``n`` other wordings (fewer where the LLM gave fewer)."""
    made = formulated("multi_query", query, (), llm_provider, temperature=EXPAND_TEMPERATURE, n=n)
    return [one.text for one in made.queries]


def multi_query(
    raw: str, n: int = 4, *, k: int = DEPTH, corpus: Source = None, llm_provider: LlmProvider | None = None
) -> SearchHits:
    """The query and ``n`` variants, 30 hits for each, joined by ``rrf`` and cleared of double ones by ``dedup``."""
    engine = open_corpus(corpus)
    made = _made(engine, TRANSFORMS.make("multi_query", {"n": n}), raw, llm_provider)
    lists = [result.fused.hits for result in _alone(engine, made.queries)]
    texts = tuple(one.text for one in made.queries)
    return SearchHits(dedup(rrf(lists))[:k], queries=texts, fallback_reason=made.fallback_reason)


class Evidence(dict[str, list[Hit]]):
    """Sub-question to its best hits, in the order of the sub-questions."""

    fallback_reason: str | None = None


def decompose_and_retrieve(
    query: str, *, corpus: Source = None, llm_provider: LlmProvider | None = None, reranker: str | None = None
) -> Evidence:
    """30 hits per sub-question, reranked by that sub-question where a reranker is named; the top 3 are its evidence.
    A question that stays whole is its own only sub-question."""
    engine = open_corpus(corpus, reranker=reranker)
    made = _made(engine, TRANSFORMS.make("decompose", {"keep_original": False}), query, llm_provider)
    found = Evidence(
        (one.text, list(result.fused.hits[:EVIDENCE]))
        for one, result in zip(made.queries, _alone(engine, made.queries), strict=True)
    )
    found.fallback_reason = made.fallback_reason
    return found


def hyde(query: str, *, k: int = DEPTH, corpus: Source = None, llm_provider: LlmProvider | None = None) -> SearchHits:
    """Hits for the vector of one invented passage."""
    return _hyde(TRANSFORMS.make("hyde", {"with_query": False}), query, "dense", k, corpus, llm_provider)


def hyde_avg(
    query: str, n: int = 3, *, k: int = DEPTH, corpus: Source = None, llm_provider: LlmProvider | None = None
) -> SearchHits:
    """Hits for the mean vector of ``n`` invented passages; the query itself is not in it."""
    average = TRANSFORMS.make("hyde", {"passages": n, "with_query": False})
    return _hyde(average, query, "dense", k, corpus, llm_provider, EXPAND_TEMPERATURE)


def hyde_hybrid(
    query: str, *, k: int = DEPTH, corpus: Source = None, llm_provider: LlmProvider | None = None
) -> SearchHits:
    """An invented passage in the dense leg, the query's own words in BM25, joined by reciprocal rank."""
    return _hyde(TRANSFORMS.make("hyde", {"with_query": False}), query, "hybrid", k, corpus, llm_provider)


QTYPES = {"multi_hop": "multi_hop", "mismatch": "vocabulary", "vocab_gap": "ambiguous_short"}
"""The lecture's kinds of query to the router's labels."""


def route_transform(
    query: str,
    history: Sequence[Turn] = (),
    qtype: str | None = None,
    *,
    k: int = DEPTH,
    corpus: Source = None,
    llm_provider: LlmProvider | None = None,
    reranker: str | None = None,
) -> SearchHits | Evidence:
    """What the query's kind asks for: ``decompose_and_retrieve`` for ``multi_hop``, ``hyde_hybrid`` for ``mismatch``,
    ``multi_query`` for ``vocab_gap``, else the query itself; condensed first where there is a conversation.

    :param qtype: None lets the router's rules tell it; any other name than the three is searched as it is.
    :returns: hits, or the evidence by sub-question for ``multi_hop``.
    :raises BadInput: for a history that is no list of turns.
    """
    engine = open_corpus(corpus, reranker=reranker)
    text, turns, reason = clean_query(query)[0], turns_of(history), None
    if turns:
        condensed = formulated("condense", text, turns, writer_or_none(llm_provider, engine), temperature=0.0)
        text, reason = condensed.queries[-1].text, condensed.fallback_reason
    label = QTYPES.get(qtype or "", "simple")
    if qtype is None:
        context = Context(engine, writer_or_none(llm_provider, engine), SearchSettings())
        label = DECIDERS.make("rules").decide(text, (), context).label
    found: SearchHits | Evidence
    match published()["lecture"].route(label).transform:
        case "decompose":
            found = decompose_and_retrieve(text, corpus=engine, llm_provider=llm_provider)
        case "hyde":
            found = hyde_hybrid(text, k=k, corpus=engine, llm_provider=llm_provider)
        case "multi_query":
            found = multi_query(text, k=k, corpus=engine, llm_provider=llm_provider)
        case _:
            plain = _made(engine, TRANSFORMS.make("identity"), text, llm_provider, None)
            found = SearchHits.of(search(engine, plain, SearchSettings(k=k)))
    found.fallback_reason = found.fallback_reason or reason
    return found


def eval_transform(
    name: str,
    fn: Callable[..., Any],
    eval_set: Iterable[Mapping[str, Any]],
    *,
    corpus: Source = None,
    llm_provider: LlmProvider | None = None,
    answerer: LlmProvider | None = None,
) -> dict[str, Any]:
    """What a transform buys and what it costs, in three figures::

        eval_transform("hyde", lecture.hyde, [{"query": "…", "relevant": ["doc"], "answers": ["…"]}])

    :param fn: given the query and, where it has such parameters, ``history``, ``qtype``, ``corpus`` and
        ``llm_provider``. It returns hits (or evidence by sub-question, or what ``course.query`` does), or one text or
        several to search with, several of which are joined by ``rrf``.
    :param eval_set: per item ``query``, ``relevant`` (ids, or ids with grades), ``answers`` and ``history``.
    :param answerer: reads the first 5 hits and answers; see :mod:`ir_core.api` for what it may be.
    :returns: ``name``; ``recall@10``, over the items with relevant documents; ``answer_acc``, the share of items with
        known answers whose reply holds one (SQuAD normalisation), None without an answerer; ``extra_latency_ms``, the
        mean time beyond that of the plain search. None is unknown.
    :raises BadInput: for an empty set, an item without a query, or a function that returns none of these.
    """
    return {
        "name": name, **measured(fn, examples_of(eval_set), open_corpus(corpus), llm_provider, answerer)
    }  # fmt: skip


def _hyde(
    transform: Transform,
    query: str,
    mode: Mode,
    k: int,
    corpus: Source,
    provider: LlmProvider | None,
    temperature: float | None = None,
) -> SearchHits:
    engine = open_corpus(corpus)
    made = _made(engine, transform, query, provider, temperature)
    return SearchHits.of(search(engine, made, SearchSettings(mode=mode, k=k)))


def _made(
    engine: Engine, transform: Transform, query: str, provider: LlmProvider | None, temperature: float | None = None
) -> Formulation:
    writer = Tuned(writer_or_none(provider, engine), transform.name, transform.name, temperature)
    return compare.formulate(engine, transform, clean_query(query)[0], (), writer, SearchSettings())


def _alone(engine: Engine, queries: Sequence[Query]) -> list[SearchResult]:
    """Each query searched as if it had been the only one."""
    single = [Formulation("identity", one.text, one, (one,)) for one in queries]
    return search_many(engine, single, SearchSettings(k=DEPTH))
