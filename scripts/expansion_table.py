"""What adding words and vectors to a query does, by who or what they come from: docs/expansion.md.

    python -m scripts.expansion_table --data FOLDER

FOLDER holds BEIR folders, ``scifact`` with ``recorded/``. Settings are chosen on queries whose id has an even SHA-256
(``--split tune``); what is written to the page are the odd ones. Results are kept under QUERY_PRISM_HOME, so a
stopped run goes on where it was.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Literal

import click

from ir_core.cli._progress import Reporter
from ir_core.embedders import DEFAULT_EMBEDDER
from ir_core.errors import BadSource
from ir_core.evaluation import Column, Evaluation, judged_queries
from ir_core.evaluation.measures import parse
from ir_core.evaluation.run import Run
from ir_core.evaluation.writing import Samples, write_all
from ir_core.index import IndexSettings
from ir_core.library import JudgedQuery, split_of
from ir_core.protocols import Writer
from ir_core.retrieval import Engine, SearchSettings
from ir_core.schema import MODE_LEGS, Mode
from ir_core.session import open_engine, prepare
from ir_core.transforms import TRANSFORMS
from ir_core.writers import open_writer
from ir_core.writers.recorded import RecordedWriter
from scripts._expansion_text import Section, page
from scripts._measured import Kept

MEASURES = ("ndcg@10", "recall@10")
PAGE = Path("docs/expansion.md")
FEW = 150
"""Queries measured of a set, at most: the table is to be made again in minutes."""


@dataclass(frozen=True, slots=True)
class Way:
    """One row: a transform with its settings, written by the corpus or from a ``file`` under ``scifact/recorded``."""

    label: str
    transform: str
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)
    file: str | None = None
    task: str = ""


GPT, QWEN, KEYS = "query2doc-zs__gpt-4.1", "query2doc-zs__Qwen2.5-7B-Instruct", "genqr__gpt-4.1"
NO_LLM = (
    Way("RM3", "rm3"),
    Way("RM3, the paper's share of .5", "rm3", {"original_weight": 0.5}),
    Way("Rocchio, vectors only", "rocchio"),
    Way("Rocchio, BM25 too", "rocchio", {"lexical": "bag"}),
    Way("HyDE: feedback passages", "hyde"),
    Way("HyDE: feedback passages, RRF", "hyde", {"joined": "rrf"}),
    Way("keywords: feedback terms", "keywords"),
    Way("grounded: key sentences by shared words", "grounded"),
)
RECORDED = (
    Way("query2doc, GPT-4.1", "query2doc", {}, GPT, "query2doc"),
    Way("query2doc, GPT-4.1, BM25 only", "query2doc", {"dense": "query"}, GPT, "query2doc"),
    Way("query2doc, GPT-4.1, “query [SEP] passage”", "query2doc", {"dense": "text"}, GPT, "query2doc"),
    Way("HyDE, the same passages", "hyde", {}, GPT, "hyde"),
    Way("HyDE, the same passages, RRF", "hyde", {"joined": "rrf"}, GPT, "hyde"),
    Way("query2doc, Qwen2.5-7B", "query2doc", {}, QWEN, "query2doc"),
    Way("HyDE, Qwen2.5-7B", "hyde", {}, QWEN, "hyde"),
    Way("keywords, GPT-4.1 (GenQR, five lists)", "keywords", {}, KEYS, "keywords"),
)
IDENTITY = Way("original", "identity")


@click.command()
@click.option("--data", required=True, type=click.Path(path_type=Path), help="Folder of BEIR folders.")
@click.option("--sets", help="Only these, joined by commas.")
@click.option("--split", type=click.Choice(["tune", "test"]), default="test", show_default=True)
@click.option("--out", type=click.Path(path_type=Path), help=f"Default: {PAGE} for test; tune goes to the screen.")
@click.option("--fresh", is_flag=True, help="Measure again what is kept from an earlier run.")
def main(data: Path, sets: str | None, split: Literal["tune", "test"], out: Path | None, fresh: bool) -> None:
    folders = [path for path in sorted(data.iterdir()) if (path / "corpus.jsonl").is_file()]
    if sets:
        folders = [path for path in folders if path.name in sets.split(",")]
    if not folders:
        raise BadSource(f"There is no set in {str(data)!r}: no folder there holds a corpus.jsonl and is asked for.")
    text = page([section for folder in folders for section in measured(folder, split, fresh)], split)
    target = out or (PAGE if split == "test" else None)
    if target is None:
        print(text)
    else:
        target.write_text(text, "utf-8")
        print(f"{target} is written.", file=sys.stderr)


def measured(folder: Path, split: str, fresh: bool) -> Iterator[Section]:
    """The set's queries of one split in each leg, whole documents, from what is kept or anew."""
    report = Reporter()
    prepared = prepare(
        str(folder), strategy={"name": "WholeText"}, embedder=DEFAULT_EMBEDDER, settings=IndexSettings()
    )
    engine = open_engine(prepared, make_current=False, on_progress=report)
    report.close()
    qrels = prepared.corpus.qrels()
    queries, _ = judged_queries([q for q in prepared.corpus.queries() if split_of(q.id) == split], qrels)
    found = Set(folder, engine, queries[:FEW], qrels)
    for mode in MODE_LEGS:
        kept = Kept({"index": engine.index.manifest.fingerprint, "mode": mode, "n": len(found.queries)}, fresh)
        name = f"expansion-{folder.name}-{split}-{mode}"
        columns = kept.columns(name, [_slug(way) for way in found.ways], partial(found.columns, mode))
        print(f"{folder.name} {mode}: done", file=sys.stderr)
        yield Section(folder.name, mode, Evaluation(MEASURES, tuple(columns)))
    engine.index.close()


@dataclass(frozen=True)
class Set:
    """One set's judged queries of one split, each written for once and searched in every mode."""

    folder: Path
    engine: Engine
    queries: Sequence[JudgedQuery]
    qrels: Mapping[str, Mapping[str, int]]

    @cached_property
    def ways(self) -> tuple[Way, ...]:
        return IDENTITY, *(way for way in RECORDED if self._file(way).is_file()), *NO_LLM

    @cached_property
    def _written(self) -> dict[Way, list[Samples]]:
        """By way, what was written of each query."""
        sources: dict[tuple[str | None, str], list[Way]] = {}
        for way in self.ways:
            sources.setdefault((way.file, way.task), []).append(way)
        found = {}
        for (file, task), ways in sources.items():
            writer: Writer = open_writer("corpus", index=self.engine.index)
            if file:
                writer = RecordedWriter(self._file(ways[0]), task=task, queries=self.queries)
            made = [TRANSFORMS.make(way.transform, way.settings) for way in ways]
            rows = write_all(self.engine, self.queries, made, writer, SearchSettings(), threading.Event())
            found.update(zip(ways, map(list, zip(*rows, strict=True)), strict=True))
        return found

    def columns(self, mode: Mode, missing: Sequence[str]) -> list[Column]:
        """The missing ways' figures in one mode; ``missing`` are their file names."""
        ways = [way for way in self.ways if _slug(way) in missing]
        made = [TRANSFORMS.make(way.transform, way.settings) for way in ways]
        wanted = [parse(name) for name in MEASURES]
        settings = SearchSettings(mode=mode, k=max(measure.cutoff for measure in wanted))
        run = Run(self.engine, settings, made, wanted, self.qrels, threading.Event())
        texts = map(list, zip(*(self._written[way] for way in ways), strict=True))
        rows = list(run.rows(self.queries, texts, 0, None))
        return [
            Column(_slug(way), way.label, way.settings, tuple(row[slot] for row in rows))
            for slot, way in enumerate(ways)
        ]

    def _file(self, way: Way) -> Path:
        return self.folder / "recorded" / f"{way.file}.jsonl"


def _slug(way: Way) -> str:
    """What a kept column's file is called by."""
    return "".join(char if char.isalnum() else "-" for char in way.label.casefold())


if __name__ == "__main__":
    main()
