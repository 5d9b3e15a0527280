"""Parallel and sequential decomposition on questions that need several documents: docs/hops.md.

    python -m scripts.hops_table --data FOLDER

FOLDER holds hotpotqa_train100 and musique_train100 in BEIR's layout. Settings are chosen on queries whose id has an
even SHA-256; what is reported are the odd ones.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ir_core.cli._progress import Reporter
from ir_core.embedders import DEFAULT_EMBEDDER
from ir_core.evaluation import Column, Evaluation, evaluate
from ir_core.index import IndexSettings
from ir_core.library import JudgedQuery, Qrels, split_of
from ir_core.protocols import Writer
from ir_core.retrieval import Engine, SearchSettings
from ir_core.schema import MODE_LEGS, Mode
from ir_core.session import open_engine, prepare
from ir_core.writers import open_writer
from scripts._gold_hops import GoldHops
from scripts._hops_text import MEASURES, Section, page
from scripts.transform_table import REFERENCE, as_published

PAGE = Path("docs/hops.md")
SETS = ("hotpotqa_train100", "musique_train100")
BRIDGE: tuple[str, dict[str, Any]] = ("sequential", {})
BRIDGE_LABEL = "Sequential: bridge query (no LLM)"
TRIED: tuple[dict[str, Any], ...] = ({"bridges": 1}, {"bridges": 2}, {}, {"bridges": 5}, {"merge": "rrf"})
"""Settings of the bridge query that were compared on the tune half; {} is what was chosen, the default."""


@click.command()
@click.option("--data", required=True, type=click.Path(path_type=Path), help="Folder of BEIR folders.")
@click.option("--out", type=click.Path(path_type=Path), default=PAGE, show_default=True)
def main(data: Path, out: Path) -> None:
    reported: list[Section] = []
    tuned: list[Section] = []
    published: list[Section] = []
    for name in SETS:
        engine, queries, qrels = opened(data / name, IndexSettings())
        test = [query for query in queries if split_of(query.id) == "test"]
        tune = [query for query in queries if split_of(query.id) == "tune"]
        corpus = open_writer("corpus", index=engine.index)
        reported += [Section(name, mode, rows(engine, test, qrels, corpus, mode)) for mode in MODE_LEGS]
        tuned.append(Section(name, "hybrid", settings_tried(engine, tune, qrels, corpus)))
        engine.index.close()
        engine, queries, qrels = opened(data / name, REFERENCE)
        corpus = open_writer("corpus", index=engine.index)
        found = measured(engine, queries, qrels, [BRIDGE], corpus, "hybrid")
        columns = (found.columns[0], replace(found.columns[1], label=BRIDGE_LABEL))
        published.append(Section(name, "hybrid", replace(found, columns=columns)))
        engine.index.close()
        print(f"{name}: done", file=sys.stderr)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(page(reported, tuned, published), "utf-8")
    print(f"{out} is written.", file=sys.stderr)


def opened(folder: Path, settings: IndexSettings) -> tuple[Engine, list[JudgedQuery], Qrels]:
    prepared = prepare(str(folder), strategy={"name": "WholeText"}, embedder=DEFAULT_EMBEDDER, settings=settings)
    if settings == REFERENCE:
        prepared = as_published(prepared)
    report = Reporter()
    engine = open_engine(prepared, make_current=False, on_progress=report)
    report.close()
    return engine, list(prepared.corpus.queries()), prepared.corpus.qrels()


def rows(engine: Engine, queries: Sequence[JudgedQuery], qrels: Qrels, corpus: Writer, mode: Mode) -> Evaluation:
    """The original, then every way to decompose; those that need gold sub-questions only where there are some."""
    found = measured(engine, queries, qrels, [("decompose", {}), BRIDGE], corpus, mode)
    columns = [
        found.columns[0],
        replace(found.columns[1], label="Parallel decomposition (by structure, no LLM)"),
        replace(found.columns[2], label=BRIDGE_LABEL),
    ]
    if any(query.metadata.get("decomposition") for query in queries):
        for answered, label in (
            (False, "Sequential: gold sub-questions, best span (no LLM)"),
            (True, "Upper bound: gold sub-questions and gold answers"),
        ):
            writer = GoldHops(queries, corpus, answered=answered)
            columns.append(replace(measured(engine, queries, qrels, [BRIDGE], writer, mode).columns[1], label=label))
    return replace(found, columns=tuple(columns))


def settings_tried(engine: Engine, queries: Sequence[JudgedQuery], qrels: Qrels, corpus: Writer) -> Evaluation:
    found = measured(engine, queries, qrels, [("sequential", settings) for settings in TRIED], corpus, "hybrid")
    tried = [replace(column, label=_said(column)) for column in found.columns[1:]]
    return replace(found, columns=(found.columns[0], *tried))


def _said(column: Column) -> str:
    bridges, merge = column.settings["bridges"], column.settings["merge"]
    return f"{bridges} bridge {'query' if bridges == 1 else 'queries'}, {'RRF' if merge == 'rrf' else 'round robin'}"


def measured(
    engine: Engine,
    queries: Sequence[JudgedQuery],
    qrels: Qrels,
    transforms: Sequence[tuple[str, dict[str, Any]]],
    writer: Writer,
    mode: Mode,
) -> Evaluation:
    return evaluate(
        engine,
        queries,
        qrels,
        transforms=transforms,
        writer=writer,
        settings=SearchSettings(mode=mode),
        measures=MEASURES,
        timed_queries=0,
    )


if __name__ == "__main__":
    main()
