"""From a corpus' name to what every function here searches."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ir_core.errors import BadSetting
from ir_core.library import Corpus, corpus
from ir_core.retrieval import Engine
from ir_core.session import open_engine, prepare

__all__ = ["DEFAULT_CORPUS", "open_corpus"]

DEFAULT_CORPUS = "help_center"


def open_corpus(
    source: str | Path | Corpus | Engine | None = None, *, embedder: str | None = None, reranker: str | None = None
) -> Engine:
    """The corpus, its index built where it is missing or stale; keep it to search many times.

    :param source: a name or path, a ``library.Corpus``, or an opened one, which is returned (with the reranker, where
        one is named); None is the bundled help centre.
    :raises UnknownName, BadSource, BadSetting, ModelUnavailable: as :func:`ir_core.session.prepare`.
    """
    if isinstance(source, Engine):
        if embedder not in (None, source.embedder.name):
            raise BadSetting(
                f"This corpus is open with the embedder {source.embedder.name!r}, not {embedder!r}. "
                "Open it by its name to choose another."
            )
        if reranker is None:
            return source
        from ir_core.rerankers import open_reranker

        return replace(source, reranker=open_reranker(reranker))
    chosen = corpus(DEFAULT_CORPUS if source is None else source) if not isinstance(source, Corpus) else source
    return open_engine(prepare(chosen, embedder=embedder), reranker=reranker, make_current=False)
