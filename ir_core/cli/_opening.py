"""From options to what a command works with: the index, the engine, the writer, the transforms; and all of it as the
``config`` that reproduces the run."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from ir_core.cli._options import read_price
from ir_core.cli._progress import Reporter
from ir_core.cli._settings import IndexOptions, SearchOptions, choices, taken
from ir_core.cli._tables import plain
from ir_core.config import version
from ir_core.secrets import without_credentials

if TYPE_CHECKING:
    from ir_core.budget import Purse
    from ir_core.compare import Choice
    from ir_core.library import Corpus, JudgedQuery
    from ir_core.protocols import Writer
    from ir_core.retrieval import Engine, SearchSettings
    from ir_core.session import Prepared
    from ir_core.writers.llm import Price

STARTED = time.perf_counter()
"""When this was imported, so early in the process; ``startup_s`` counts from here until a search can begin."""


@dataclass(frozen=True)
class Opened:
    """Everything is loaded and warm: what follows is the search alone."""

    prepared: Prepared
    engine: Engine
    settings: SearchSettings
    choices: Sequence[Choice]
    writer_name: str
    base_url: str | None
    price: Price | None
    deadline_s: float | None
    use_cache: bool
    writer: Writer
    purse: Purse
    startup_s: float

    @property
    def corpus(self) -> str:
        """What to call it by: its name, or, where it has none that is known here, its path."""
        info = self.prepared.corpus.info
        return str(info.path) if info.kind == "folder" and not info.created else info.name

    def config(self, history: Sequence[Mapping[str, str]] = ()) -> dict[str, Any]:
        """All that reproduces the run."""
        from ir_core.compare import chosen
        from ir_core.params import values_of

        manifest, settings = self.engine.index.manifest, asdict(self.settings)
        weights = {"dense": settings.pop("dense_weight"), "lexical": settings.pop("lexical_weight")}
        return {
            "version": version(),
            "corpus": self.corpus,
            "strategy": dict(manifest.strategy),
            "embedder": manifest.embedder,
            "reranker": self.engine.reranker.name if self.engine.reranker else None,
            "index": manifest.fingerprint,
            "text_column": self.prepared.text_column,
            **values_of(self.prepared.settings),
            **settings,
            "depth": self.settings.read_depth,
            "weights": weights,
            "transforms": [{"name": one.name, "settings": values_of(one)} for one in chosen(self.choices)],
            "writer": self.writer_name,
            "base_url": without_credentials(self.base_url) if self.base_url else None,
            "price": asdict(self.price) if self.price else None,
            "deadline_s": self.deadline_s,
            "use_cache": self.use_cache,
            "history": [dict(turn) for turn in history],
        }


def open_all(
    options: Mapping[str, Any],
    *,
    query: str | None,
    transforms: str | None = None,
    only: str | None = None,
    writer: str = "corpus",
    base_url: str | None = None,
    price: str | None = None,
    no_cache: bool = False,
    record: str | None = None,
    authored: bool = False,
    history: Sequence[Mapping[str, str]] = (),
    asked: Callable[[Corpus], list[JudgedQuery]] | None = None,
) -> Opened:
    """Checks the options first, then reads, builds where that is due, opens and warms up.

    :param options: what ``INDEX_OPTIONS``, ``SEARCH_OPTIONS`` and, where there are any, ``CAP_OPTIONS`` gave.
    :param only: the one transform of a command that has no choice of them.
    :param price: of the writer's model, as ``--price`` has it.
    :param record: a file to which all that is written is appended.
    :param asked: gives the queries that are measured, where they are not the corpus' own.
    :param authored: whether the corpus' authored examples may answer ``query`` after ``history``.
    :raises QueryPrismError: with what is wrong, before anything slow where that can be told.
    """
    from ir_core.budget import Cap, Purse, capped
    from ir_core.retrieval import clean_query, default_mode
    from ir_core.session import warm_up
    from ir_core.writers import open_writer, with_authored
    from ir_core.writers.recorded import RecordingWriter

    index_options, search_options = taken(IndexOptions, options), taken(SearchOptions, options)
    if query is not None:
        clean_query(query)
    wanted = choices(index_options.pairs, transforms, only=only)
    search_options.settings()
    price_set = read_price(price)
    prepared = index_options.prepare()
    engine = build(prepared, options["reranker"], make_current=False)
    mode, reason = default_mode(engine.index.manifest, prepared.embedder, query)
    settings = search_options.settings(mode)
    if reason and not search_options.mode:
        click.echo(reason, err=True)
    queries = partial(asked, prepared.corpus) if asked else prepared.corpus.queries
    made = open_writer(
        writer, index=engine.index, base_url=base_url, queries=queries, local_files=True,
        price=price_set, deadline_s=options.get("deadline"),
    )  # fmt: skip
    if query is not None and authored:
        made = with_authored(made, prepared.corpus.authored(), query, history)
    cap = Cap(options.get("max_calls"), options.get("max_usd"))
    purse = Purse(cap, way_out="Raise --max-calls or --max-usd.")
    made = capped(made, purse) if cap != Cap() else made
    if record is not None:
        made = RecordingWriter(made, record)
    alone = [name for name, _ in wanted] == ["identity"]
    # writers' feedback is hybrid in every mode
    warm_up(engine, made, settings.mode if alone else "hybrid", away=settings.mode == "lexical")
    return Opened(
        prepared, engine, settings, wanted, writer, base_url, price_set, options.get("deadline"),
        not no_cache, made, purse,
        time.perf_counter() - STARTED,
    )  # fmt: skip


def build(prepared: Prepared, reranker: str | None = None, *, make_current: bool) -> Engine:
    """The engine, with progress on standard error; what could not be read is named there, and how the rest was.

    :param make_current: whether the page, too, searches this index from now on.
    """
    from ir_core.session import open_engine

    for problem in prepared.loaded.problems:
        start = "not read" if problem.lost else "note"
        click.echo(plain(f"{start}: {problem.name}: {problem.reason}"), err=True)
    report = Reporter()
    try:
        return open_engine(prepared, reranker=reranker, make_current=make_current, on_progress=report)
    finally:
        report.close()
