"""The functions of a course on query transformation: one question in, one plain dictionary out.

::

    from ir_core import course
    course.query("someone else is logged in as me", transform="multi_query", llm_provider="openai/gpt-4.1-mini")
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ir_core import compare, router
from ir_core.api._formulating import formulated
from ir_core.api._provider import LlmProvider, writer_or_none
from ir_core.api.corpora import open_corpus
from ir_core.errors import UnknownName, WriterError
from ir_core.evaluation.means import total
from ir_core.library import Corpus
from ir_core.retrieval import Engine, SearchSettings, clean_query, search
from ir_core.schema import Formulation, Mode, SearchResult
from ir_core.transforms import TRANSFORMS

__all__ = ["CONFIGS", "TRANSFORM_NAMES", "decompose", "hyde", "multi_query_rewrite", "query"]

CONFIGS: Mapping[str, Mode] = {"full": "hybrid", "no_rerank": "hybrid", "dense_only": "dense", "bm25_only": "lexical"}
TRANSFORM_NAMES = ("none", "hyde", "multi_query", "decompose", "auto")
AUTO = "auto"


def query(
    question: str,
    top_k: int = 5,
    transform: str = "none",
    config: str = "full",
    corpus: str | Path | Corpus | Engine | None = None,
    *,
    llm_provider: LlmProvider | None = None,
    reranker: str | None = None,
    embedder: str | None = None,
) -> dict[str, Any]:
    """Searches with one transform and one set-up.

    :param transform: ``none``, ``hyde``, ``multi_query``, ``decompose``, or ``auto``: the router's rules choose among
        them by the course's table.
    :param config: ``full`` (dense and BM25, reranked when a reranker is named), ``no_rerank``, ``dense_only`` or
        ``bm25_only``.
    :param corpus: as :func:`ir_core.api.corpora.open_corpus`; None is the bundled help centre.
    :param llm_provider: see :mod:`ir_core.api`; ``"corpus"`` is the writer with no LLM. Without any, or when it
        fails, the question itself is searched and ``fallback_reason`` says why.
    :returns: ``question``; ``transform``, for ``auto`` the one that was chosen; ``queries``, the texts searched;
        ``results``, each ``{id, text, score}`` (the reranker's score where there is one); ``latency_s``, opening the
        corpus not counted; ``cost_usd``, None when unknown; ``calls``, how many the writer made;
        ``fallback_reason``; ``config``, its name and parts, with ``auto`` also the ``route``: label, decider, table
        and reasons.
    :raises UnknownName: for a transform or config there is not.
    :raises BadSetting: for a ``top_k`` outside 1 to 100.
    :raises BadQuery: for a blank question.
    """
    name = _transform(transform)
    if config not in CONFIGS:
        raise UnknownName("config", config, CONFIGS)
    text, _ = clean_query(question)
    settings = SearchSettings(mode=CONFIGS[config], k=top_k)
    engine = open_corpus(corpus, embedder=embedder, reranker=reranker if config == "full" else None)
    if config != "full":
        engine = replace(engine, reranker=None)
    writer = writer_or_none(llm_provider, engine)
    taken: dict[str, Any] = {}
    if name == AUTO:
        routed = router.route(
            engine, text, decider=router.DECIDERS.make("rules"), table=router.published()["course"], writer=writer,
            settings=settings,
        )  # fmt: skip
        name, result = routed.transform, routed.result
        transform = "none" if name == "identity" else name
        decided = routed.decision
        said = [asdict(reason) for reason in decided.reasons]
        taken = {"route": {"label": decided.label, "decider": decided.decider, "table": "course", "reasons": said}}
    else:
        made = compare.formulate(engine, TRANSFORMS.make(name), text, (), writer, settings)
        result = search(engine, made, settings)
    parts = {
        "name": config,
        "mode": settings.mode,
        "reranker": engine.reranker.name if engine.reranker else None,
        "embedder": engine.embedder.name,
        "writer": writer.label if name != "identity" else None,
        "corpus": engine.index.manifest.corpus,
        **taken,
    }
    return _told(question, transform, settings, result, parts)


def hyde(question: str, *, llm_provider: LlmProvider | None = None) -> str:
    """A passage of about 100 words that could answer; its details may be invented.

    :raises WriterError: when the LLM failed. BadSetting: when none is configured.
    """
    return _made("hyde", question, llm_provider).queries[-1].text


def multi_query_rewrite(question: str, n: int = 3, *, llm_provider: LlmProvider | None = None) -> list[str]:
    """``n`` other wordings, fewer where the LLM gave fewer; the question is not among them.

    :raises WriterError: when the LLM failed. BadSetting: when none is configured, or for an ``n`` outside 1 to 8.
    """
    made = _made("multi_query", question, llm_provider, n=n, original_weight=0.0)
    return [one.text for one in made.queries]


def decompose(question: str, *, llm_provider: LlmProvider | None = None) -> list[str]:
    """The sub-questions, the one to be answered first coming first; empty when the question is not decomposable.

    :raises WriterError: when the LLM failed. BadSetting: when none is configured.
    """
    made = _made("decompose", question, llm_provider, keep_original=False)
    return [one.text for one in made.queries if one.role == "sub_question"]


def _made(name: str, question: str, provider: LlmProvider | None, **settings: Any) -> Formulation:
    """Here a fallback is an error: an original in place of a passage, or an empty list, would look like an answer."""
    made = formulated(name, clean_query(question)[0], (), provider, **settings)
    if made.fallback_reason:
        raise WriterError(made.fallback_reason)
    return made


def _transform(name: str) -> str:
    if name not in TRANSFORM_NAMES:
        raise UnknownName("transform", name, TRANSFORM_NAMES)
    return "identity" if name == "none" else name


def _told(
    question: str, transform: str, settings: SearchSettings, result: SearchResult, parts: dict[str, Any]
) -> dict[str, Any]:
    made = result.formulation
    return {
        "question": question,
        "transform": transform,
        "queries": [one.text for one in made.queries if set(one.legs) & set(settings.legs)],
        "results": [
            {
                "id": hit.artifact_id,
                "text": hit.text,
                "score": hit.score if hit.rerank_score is None else hit.rerank_score,
            }
            for hit in result.fused.hits
        ],
        "latency_s": result.trace.latency_s,
        "cost_usd": total([call.cost_usd for call in made.calls]),
        "calls": len(made.calls),
        "fallback_reason": made.fallback_reason,
        "config": parts,
    }
