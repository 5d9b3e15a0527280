"""From a plan to what it is run with: the index of then, what reads queries for it, and the writer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ir_core import library
from ir_core.embedders import open_embedder
from ir_core.errors import BadSetting, IndexProblem
from ir_core.evaluation.plan import Plan
from ir_core.index import open_index
from ir_core.index.folders import corpus_folder
from ir_core.library import JudgedQuery
from ir_core.protocols import Writer
from ir_core.retrieval import Engine
from ir_core.secrets import Secret
from ir_core.writers import open_writer


def open_index_of(plan: Plan) -> Engine:
    """:raises IndexProblem, ModelUnavailable: when that build is gone, or cannot be opened."""
    folder = corpus_folder(plan.corpus) / plan.index
    if not folder.is_dir():
        raise IndexProblem(
            f"The index of {plan.corpus!r} that this run searches is gone: the corpus was deleted or built anew. "
            "Start a new run."
        )
    index = open_index(folder)
    reader = open_embedder(index.manifest.embedder)
    if plan.reranker is None:
        return Engine(index, reader)
    from ir_core.rerankers import open_reranker

    return Engine(index, reader, open_reranker(plan.reranker))


def open_writer_of(
    plan: Plan,
    engine: Engine,
    *,
    key: Secret | None = None,
    base_url: str | None = None,
    queries: Callable[[], Sequence[JudgedQuery]] | None = None,
) -> Writer:
    """:param key: typed for this visit; it stays in memory.
    :param base_url: in place of the plan's, which holds no credentials.
    :param queries: gives those of a corpus that is not in the library.
    :raises BadSetting: when a key has to be typed first.
    :raises BadInput, WriterError: as ``open_writer``.
    """
    from ir_core.writers.llm import Price

    asked = plan.writer
    if asked.needs_key and key is None:
        raise BadSetting("The key of this run's writer is not kept anywhere. Type it again, then resume.")
    return open_writer(
        asked.name,
        index=engine.index,
        api_key=key.reveal() if key else None,
        base_url=base_url or asked.base_url,
        queries=queries or (lambda: library.query_set(plan.corpus, plan.query_set).queries()),
        local_files=asked.opens_files,
        price=Price(*asked.price) if asked.price else None,
        deadline_s=asked.deadline_s,
        edited=asked.prompts(),
        query_language=asked.query_language,
        passage_language=asked.passage_language,
    )
