"""From a corpus' name to an engine that can be searched: where the command line, pages and scripts all begin."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ir_core import build, library
from ir_core.embedders import DEFAULT_EMBEDDER, open_embedder
from ir_core.errors import NotBuilt
from ir_core.index import Index, IndexSettings
from ir_core.loaders import Loaded
from ir_core.protocols import Embedder, IndexingStrategy, OnProgress, Writer
from ir_core.retrieval import Engine, SearchSettings, search
from ir_core.schema import ORIGINAL, Formulation, Mode, Query
from ir_core.strategies import WholeText, strategy_from_spec

DEFAULT_STRATEGY = WholeText.name


@dataclass(frozen=True)
class Prepared:
    """A corpus that was read, and how it is to be indexed, everything resolved; nothing is built yet."""

    corpus: library.Corpus
    loaded: Loaded
    strategy: IndexingStrategy
    embedder: Embedder
    settings: IndexSettings

    @property
    def name(self) -> str:
        return self.corpus.info.name

    def plan(self) -> build.Plan:
        """What a build would do: how much there is to embed, and whether the index is current."""
        return build.plan(
            self.loaded.artifacts, self.strategy, self.embedder, corpus_name=self.name, settings=self.settings
        )

    def build(self, on_progress: OnProgress | None = None, cancel: threading.Event | None = None) -> Index:
        """The index of exactly this; what is there already is opened, not made again.

        :raises BadSource: when there is no text to index.
        :raises Cancelled: once ``cancel`` is set; the index that was there stays.
        """
        return build.build(
            self.name, self.loaded.artifacts, self.strategy, self.embedder,
            settings=self.settings, on_progress=on_progress, cancel=cancel,
        )  # fmt: skip


def prepare(
    corpus: library.Corpus | str,
    *,
    strategy: Mapping[str, Any] | None = None,
    params: Mapping[str, Any] | None = None,
    embedder: str | None = None,
    settings: IndexSettings | None = None,
    text_column: str | None = None,
) -> Prepared:
    """Reads the corpus again and makes the parts.

    :param corpus: itself, its name, or the path of a file or folder.
    :param strategy: {"name", "params"}; None for the corpus' own, else the one its kind of document is made for.
    :param params: settings laid over the strategy's.
    :param settings: of the index; the corpus' own filter fields are added.
    :raises UnknownName, BadSetting: for a corpus, strategy or setting there is not.
    :raises BadSource: when nothing of the corpus can be read.
    :raises ModelUnavailable: when the embedder's files are nowhere to be had.
    """
    opened = library.corpus(corpus) if isinstance(corpus, str) else corpus
    loaded = opened.load(text_column=text_column)
    spec = dict(strategy or default_strategy(opened.info, loaded))
    spec["params"] = {**(spec.get("params") or {}), **(params or {})}
    made = strategy_from_spec(spec)
    assert made is not None
    chosen = settings or IndexSettings()
    fields = tuple(dict.fromkeys((*chosen.filter_fields, *opened.info.filter_fields)))
    reader = open_embedder(embedder or DEFAULT_EMBEDDER)
    return Prepared(opened, loaded, made, reader, replace(chosen, filter_fields=fields))


def default_strategy(info: library.CorpusInfo, loaded: Loaded | None = None) -> Mapping[str, Any]:
    """The corpus' own strategy as a spec; else the one made for such documents; else the whole text."""
    if info.default_strategy:
        return info.default_strategy
    return {"name": (loaded.default_strategy if loaded else None) or DEFAULT_STRATEGY, "params": {}}


def open_engine(
    prepared: Prepared,
    *,
    reranker: str | None = None,
    build_if_needed: bool = True,
    on_progress: OnProgress | None = None,
    cancel: threading.Event | None = None,
) -> Engine:
    """The engine over this corpus' index, built first where it is missing or stale.

    :raises NotBuilt: when it is, and ``build_if_needed`` is False.
    :raises BadSource, IndexProblem, ModelUnavailable, Cancelled: as the parts.
    """
    if not build_if_needed and not prepared.plan().is_current:
        raise NotBuilt(
            f"The index of {prepared.name!r} is missing, or was made with other documents or settings. Build it "
            "first."
        )
    index = prepared.build(on_progress, cancel)
    if reranker is None:
        return Engine(index, prepared.embedder)
    from ir_core.rerankers import open_reranker

    return Engine(index, prepared.embedder, open_reranker(reranker))


def warm_up(engine: Engine, writer: Writer, mode: Mode = "hybrid") -> None:
    """One search, and whatever the writer prepares once, so that neither is part of what the first query takes."""
    words = Query(ORIGINAL, "warming up")
    search(engine, Formulation("identity", "", words, (words,)), SearchSettings(mode=mode))
    prepare_writer = getattr(writer, "warm", None)
    if callable(prepare_writer):
        prepare_writer()
