"""Search with a formulator in front, as the ``ir`` package has it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from ir_core.api.corpora import open_corpus
from ir_core.api.formulators import Formulated, Formulator, LlmFormulator, reason_of, texts_in
from ir_core.errors import UnknownName
from ir_core.library import Corpus
from ir_core.retrieval import Engine, SearchSettings, clean_query
from ir_core.retrieval import search as search_one
from ir_core.schema import ORIGINAL, Formulation, Hit, Mode, Query, SearchResult

__all__ = ["SearchHits", "search"]


class SearchHits(list[Hit]):
    """Hits, best first; ``queries`` are the texts that were searched, ``fallback_reason`` says why the original was
    searched in place of what was asked for, ``result`` holds everything else (None where lists were joined here)."""

    def __init__(
        self,
        hits: Iterable[Hit] = (),
        *,
        queries: tuple[str, ...] = (),
        fallback_reason: str | None = None,
        result: SearchResult | None = None,
    ) -> None:
        super().__init__(hits)
        self.queries = queries
        self.fallback_reason = fallback_reason
        self.result = result

    @classmethod
    def of(cls, result: SearchResult) -> SearchHits:
        made, legs = result.formulation, {ranking.leg for ranking in result.rankings}
        texts = tuple(query.text for query in made.queries if legs.intersection(query.legs))
        return cls(result.fused.hits, queries=texts, fallback_reason=made.fallback_reason, result=result)


def search(
    corpus: str | Path | Corpus | Engine,
    query: str,
    *,
    k: int = 10,
    filter: Mapping[str, Any] | None = None,
    surfaces: Iterable[str] | None = None,
    mode: Mode = "dense",
    formulate: Formulator | None = None,
    fusion: Literal["max", "rrf"] = "max",
    keep_original: bool = False,
    rerank: str | None = None,
) -> SearchHits:
    """The best ``k`` artifacts.

    The formulator's queries are searched as they are, the original beside them only with ``keep_original``; each
    artifact keeps the best score any of them gave it (``fusion="max"``). The app differs, and says so: it searches
    the original too and joins by rank.

    :param surfaces: the kinds of surface to search; None is all.
    :param rerank: name of a cross-encoder.
    :raises BadQuery, BadFilter, BadSetting, UnknownName: for what cannot be searched.
    :raises UnknownName, BadSource, ModelUnavailable: as :func:`ir_core.api.corpora.open_corpus`.
    """
    if fusion not in ("max", "rrf"):
        raise UnknownName("fusion", fusion, ("max", "rrf"))
    original = Query(ORIGINAL, clean_query(query)[0])
    settings = SearchSettings(mode=mode, k=k, filter=filter, surfaces=None if surfaces is None else tuple(surfaces))
    engine = open_corpus(corpus, reranker=rerank)
    settings.check_kinds(engine.index.manifest.kinds)
    engine.index.allowed(settings.filter, settings.surfaces)
    made = _formulated(formulate, query)
    texts = dict(clean_query(text) for text in texts_in(made.queries))
    queries = [Query(f"formulated-{n}", text, "formulated") for n, text in enumerate(texts, start=1)]
    if list(texts) == [original.text]:
        queries = [original]
    elif keep_original:
        queries = [original, *(one for one in queries if one.text != original.text)]
    formulation = Formulation(
        transform="formulate",
        title="Formulator",
        original=original,
        queries=tuple(queries),
        combine={"dense": fusion, "lexical": fusion},
        notes=tuple(note for note in texts.values() if note),
        fallback_reason=made.fallback_reason,
    )
    return SearchHits.of(search_one(engine, formulation, settings))


def _formulated(formulate: Formulator | None, query: str) -> Formulated:
    """At least one usable query, whatever the formulator does."""
    if formulate is None:
        return Formulated(query)
    try:
        made = formulate.formulate(query) if isinstance(formulate, LlmFormulator) else Formulated(formulate(query))
        if texts_in(made.queries):
            return made
        reason = made.fallback_reason or "The formulator gave no query."
    except Exception as error:
        reason = reason_of(error, "The formulator")
    return Formulated(query, reason)
