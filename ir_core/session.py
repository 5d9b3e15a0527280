"""From a corpus' name to an engine that can be searched: where the command line, pages and scripts all begin."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from ir_core import build, library
from ir_core.embedders import DEFAULT_EMBEDDER, open_embedder
from ir_core.errors import BadInput, BadSetting, Unreachable
from ir_core.index import Index, IndexSettings
from ir_core.loaders import Loaded
from ir_core.params import make, params_of, values_of
from ir_core.protocols import Embedder, IndexingStrategy, OnProgress, Writer
from ir_core.retrieval import Engine, SearchSettings, search
from ir_core.schema import ORIGINAL, Formulation, Mode, Query
from ir_core.strategies import WholeText, strategy_from_spec, strategy_to_spec

DEFAULT_STRATEGY = WholeText.name
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Prepared:
    """A corpus that was read, and how it is to be indexed, everything resolved; nothing is built yet."""

    corpus: library.Corpus
    loaded: Loaded
    strategy: IndexingStrategy
    embedder: Embedder
    settings: IndexSettings
    text_column: str | None = None

    @property
    def name(self) -> str:
        return self.corpus.info.name

    def plan(self) -> build.Plan:
        """What a build would do: how much there is to embed, and whether the index is current."""
        return build.plan(
            self.loaded.artifacts, self.strategy, self.embedder, corpus_name=self.name, settings=self.settings
        )

    def build(
        self,
        on_progress: OnProgress | None = None,
        cancel: threading.Event | None = None,
        *,
        make_current: bool = True,
    ) -> Index:
        """The index of exactly this; what is there already is opened, not made again.

        :param make_current: whether it becomes the one that is searched, and its settings those that are kept with
            the corpus. False changes neither, but that a corpus without an index gets this one.
        :raises BadSource: when there is no text to index.
        :raises Cancelled: once ``cancel`` is set; the index that was there stays.
        """
        index = build.build(
            self.name, self.loaded.artifacts, self.strategy, self.embedder,
            settings=self.settings, make_current=make_current, on_progress=on_progress, cancel=cancel,
        )  # fmt: skip
        if make_current:
            _keep(self)
        for name in build.forget_foreign(library.every_name()):
            library.forget_settings(name)
        return index


def prepare(
    corpus: library.Corpus | str,
    *,
    strategy: Mapping[str, Any] | None = None,
    params: Mapping[str, Any] | None = None,
    embedder: str | None = None,
    settings: IndexSettings | Mapping[str, Any] | None = None,
    text_column: str | None = None,
) -> Prepared:
    """Reads the corpus again and makes the parts.

    :param corpus: itself, its name, or the path of a file or folder.
    What is None is as it was when the corpus' index was last made current (``library.get_settings``), else:

    :param strategy: {"name", "params"}; the corpus' own, else the one its kind of document is made for.
    :param params: settings laid over the strategy's.
    :param embedder: its name; all-MiniLM-L6-v2.
    :param settings: of the index, by name in a mapping where the others are to be as they were; the corpus' own
        filter fields are added.
    :raises UnknownName, BadSetting: for a corpus, strategy or setting there is not.
    :raises BadSource: when nothing of the corpus can be read.
    :raises ModelUnavailable: when the embedder's files are nowhere to be had.
    """
    opened = library.corpus(corpus) if isinstance(corpus, str) else corpus
    loaded = opened.load(text_column=text_column)
    kept = _kept(opened.info)
    spec = dict(strategy or kept.get("strategy") or default_strategy(opened.info, loaded))
    spec["params"] = {**(spec.get("params") or {}), **(params or {})}
    made = strategy_from_spec(spec)
    assert made is not None
    if isinstance(settings, IndexSettings):
        chosen = settings
    else:
        chosen = make(IndexSettings, {**kept.get("index", {}), **(settings or {})})
    fields = tuple(dict.fromkeys((*chosen.filter_fields, *opened.info.filter_fields)))
    reader = open_embedder(embedder or kept.get("embedder") or DEFAULT_EMBEDDER)
    column = text_column or opened.info.text_column
    return Prepared(opened, loaded, made, reader, replace(chosen, filter_fields=fields), column)


def _keep(prepared: Prepared) -> None:
    """Keeps with the corpus how its index was made. What cannot be written down (a strategy of one's own) or written
    at all costs only that."""
    kept = {"embedder": prepared.embedder.name, **values_of(prepared.settings)}
    try:
        library.set_settings(prepared.name, {"strategy": strategy_to_spec(prepared.strategy), **kept})
    except (BadInput, OSError) as error:
        _log.info("the settings of %r are not kept: %s", prepared.name, error)


def _kept(info: library.CorpusInfo) -> dict[str, Any]:
    """What ``library`` keeps for the corpus as "strategy", "embedder", "index", without what no longer is valid."""
    found = library.get_settings(info.name)
    kept: dict[str, Any] = {}
    with suppress(BadInput):
        if strategy_from_spec(found.get("strategy")):
            kept["strategy"] = found["strategy"]
    if isinstance(found.get("embedder"), str):
        kept["embedder"] = found["embedder"]
    with suppress(BadInput):
        given = {item.name: found[item.name] for item in params_of(IndexSettings) if item.name in found}
        make(IndexSettings, given)
        kept["index"] = given
    return kept


def default_strategy(info: library.CorpusInfo, loaded: Loaded | None = None) -> Mapping[str, Any]:
    """The corpus' own strategy as a spec; else the one made for such documents; else the whole text."""
    if info.default_strategy:
        return info.default_strategy
    return {"name": (loaded.default_strategy if loaded else None) or DEFAULT_STRATEGY, "params": {}}


def open_engine(
    prepared: Prepared,
    *,
    reranker: str | None = None,
    make_current: bool = True,
    on_progress: OnProgress | None = None,
    cancel: threading.Event | None = None,
) -> Engine:
    """The engine over this corpus' index, built first where it is missing or stale.

    :param make_current: as :meth:`Prepared.build`.
    :raises BadSource, IndexProblem, ModelUnavailable, Cancelled: as the parts.
    """
    index = prepared.build(on_progress, cancel, make_current=make_current)
    if reranker is None:
        return Engine(index, prepared.embedder)
    from ir_core.rerankers import open_reranker

    return Engine(index, prepared.embedder, open_reranker(reranker))


def warm_up(engine: Engine, writer: Writer, mode: Mode = "hybrid", *, away: bool = False) -> None:
    """One search, and whatever the writer prepares once, so that neither is part of what the first query takes.

    :param away: whether to go on without the server of the vectors, as a comparison in lexical mode can: transforms
        that read hybrid feedback say so in their columns.
    :raises IndexProblem: when the search fails.
    """
    words = Query(ORIGINAL, "warming up")
    with suppress(*((Unreachable, BadSetting) if away else ())):
        search(engine, Formulation("identity", "", words, (words,)), SearchSettings(mode=mode))
    prepare_writer = getattr(writer, "warm", None)
    if callable(prepare_writer):
        prepare_writer()
