"""From options to what a command works with: the index, the engine, the writer, the transforms; and all of it as the
``config`` that reproduces the run."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ir_core import config
from ir_core.cli._main import version
from ir_core.cli._options import names, read_filter, read_pairs
from ir_core.cli._progress import Reporter
from ir_core.errors import BadSetting, UnknownName

if TYPE_CHECKING:
    from ir_core.compare import Choice
    from ir_core.protocols import Transform, Writer
    from ir_core.retrieval import Engine, SearchSettings
    from ir_core.session import Prepared

STARTED = time.perf_counter()
"""When this was imported, so early in the process; ``startup_s`` counts from here until a search can begin."""

INDEX = "index"
"""What stands before the dot in a ``--set`` of ``IndexSettings``."""
T = TypeVar("T")


def taken(kind: type[T], options: Mapping[str, Any]) -> T:
    """The options whose names are the fields of ``kind``."""
    return kind(**{item.name: options[item.name] for item in fields(kind)})  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class IndexOptions:
    corpus: str
    strategy: str | None
    pairs: tuple[str, ...]
    embedder: str | None
    k1: float | None
    b: float | None
    text_column: str | None

    def prepare(self) -> Prepared:
        """Reads the corpus; ``--set`` keys with the strategy's name before the dot are the strategy's, too, and
        those with ``index.`` the index's."""
        from ir_core.index import IndexSettings
        from ir_core.params import make
        from ir_core.session import prepare
        from ir_core.strategies import STRATEGIES

        plain, owned = read_pairs(self.pairs)
        for owner in [name for name in owned if name in STRATEGIES]:
            named = self.strategy and STRATEGIES.get(self.strategy) is STRATEGIES.get(owner)
            if not named:
                raise BadSetting(f"--set {owner}.… is for a strategy that is not chosen; add --strategy {owner}.")
            plain.update(owned[owner])
        given: dict[str, Any] = {name: value for name, value in (("k1", self.k1), ("b", self.b)) if value is not None}
        given.update(owned.get(INDEX, {}))
        return prepare(
            self.corpus,
            strategy={"name": self.strategy} if self.strategy else None,
            params=plain,
            embedder=self.embedder,
            settings=make(IndexSettings, given),
            text_column=self.text_column,
        )


@dataclass(frozen=True, slots=True)
class SearchOptions:
    mode: str | None
    k: int
    depth: int | None
    filter_text: str | None
    surfaces: str | None
    dense_weight: float
    lexical_weight: float

    def settings(self, mode: str = config.DEFAULT_MODE) -> SearchSettings:
        """:raises BadSetting, UnknownName, BadFilter: for a value that cannot be searched with."""
        from ir_core.retrieval import SearchSettings

        return SearchSettings(
            mode=self.mode or mode,  # type: ignore[arg-type]  # checked by the class
            k=self.k,
            depth=self.depth,
            filter=read_filter(self.filter_text),
            surfaces=tuple(names(self.surfaces)) or None,
            dense_weight=self.dense_weight,
            lexical_weight=self.lexical_weight,
        )


@dataclass(frozen=True)
class Opened:
    """Everything is loaded and warm: what follows is the search alone."""

    prepared: Prepared
    engine: Engine
    settings: SearchSettings
    choices: Sequence[Choice]
    writer_name: str
    writer: Writer
    startup_s: float

    def config(self, history: Sequence[Mapping[str, str]] = ()) -> dict[str, Any]:
        """All that reproduces the run."""
        from ir_core.compare import chosen
        from ir_core.params import values_of

        manifest, settings = self.engine.index.manifest, asdict(self.settings)
        weights = {"dense": settings.pop("dense_weight"), "lexical": settings.pop("lexical_weight")}
        return {
            "version": version(),
            "corpus": self.prepared.name,
            "strategy": dict(manifest.strategy),
            "embedder": manifest.embedder,
            "reranker": self.engine.reranker.name if self.engine.reranker else None,
            "index": manifest.fingerprint,
            "tokeniser": manifest.tokeniser,
            "k1": manifest.k1,
            "b": manifest.b,
            "idf": manifest.idf,
            **settings,
            "depth": self.settings.read_depth,
            "weights": weights,
            "transforms": [{"name": one.name, "settings": values_of(one)} for one in chosen(self.choices)],
            "writer": self.writer_name,
            "history": [dict(turn) for turn in history],
        }


def choices(pairs: Sequence[str], transforms: str | None) -> list[Choice]:
    """The transforms to run, with their settings from ``--set``.

    :raises UnknownName: for a transform or setting there is not.
    :raises BadSetting: for a setting of a transform that is not among them.
    """
    from ir_core.compare import DEFAULT_TRANSFORMS, chosen
    from ir_core.strategies import STRATEGIES
    from ir_core.transforms import TRANSFORMS

    wanted = [TRANSFORMS.get(name).name for name in names(transforms) or DEFAULT_TRANSFORMS]
    settings: dict[str, dict[str, str]] = {name: {} for name in wanted}
    for owner, values in read_pairs(pairs)[1].items():
        if owner == INDEX or owner in STRATEGIES:
            continue
        if owner not in TRANSFORMS:
            raise UnknownName("transform or strategy", owner, (*TRANSFORMS.names(), *STRATEGIES.names(), INDEX))
        name = TRANSFORMS.get(owner).name
        if name not in settings:
            raise BadSetting(f"--set {owner}.… is for a transform that does not run here; add it to --transforms.")
        settings[name].update(values)
    made: Sequence[Transform] = chosen(list(settings.items()))  # says what is wrong before anything is built
    assert made
    return list(settings.items())


def open_all(
    options: Mapping[str, Any],
    *,
    query: str | None,
    transforms: str | None,
    writer: str = "corpus",
    base_url: str | None = None,
) -> Opened:
    """Checks the options first, then reads, builds where that is due, opens and warms up.

    :param options: what ``INDEX_OPTIONS`` and ``SEARCH_OPTIONS`` gave.

    :raises QueryPrismError: with what is wrong, before anything slow where that can be told.
    """
    from ir_core.language import detect
    from ir_core.retrieval import clean_query, default_mode
    from ir_core.session import warm_up
    from ir_core.writers import open_writer

    index_options, search_options = taken(IndexOptions, options), taken(SearchOptions, options)
    if query is not None:
        clean_query(query)
    wanted = choices(index_options.pairs, transforms)
    search_options.settings()
    prepared = index_options.prepare()
    engine = build(prepared, options["reranker"])
    mode, reason = default_mode(engine.index.manifest, prepared.embedder, detect(query) if query else None)
    settings = search_options.settings(mode)
    if reason and not search_options.mode:
        click.echo(reason, err=True)
    made = open_writer(writer, index=engine.index, base_url=base_url)
    alone = [name for name, _ in wanted] == ["identity"]
    warm_up(engine, made, settings.mode if alone else "hybrid")  # writers' feedback is hybrid in every mode
    return Opened(prepared, engine, settings, wanted, writer, made, time.perf_counter() - STARTED)


def build(prepared: Prepared, reranker: str | None = None) -> Engine:
    """The engine, with progress on standard error; files that could not be read are named there."""
    from ir_core.session import open_engine

    for problem in prepared.loaded.problems:
        click.echo(f"not read: {problem.name}: {problem.reason}", err=True)
    report = Reporter()
    try:
        return open_engine(prepared, reranker=reranker, on_progress=report)
    finally:
        report.close()
