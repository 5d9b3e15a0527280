"""Every transform on every set of a folder, in each leg, with the corpus writer: docs/transforms-corpus-writer.md.

    python -m scripts.transform_table --data FOLDER

FOLDER holds BEIR folders. Settings are chosen on queries whose id has an even SHA-256 (``--split tune``); what is
written to the page are the odd ones. Results are kept under QUERY_PRISM_HOME, so a stopped run goes on where it was.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import click

from ir_core.cli._progress import Reporter
from ir_core.compare import DEFAULT_TRANSFORMS, JOINED
from ir_core.embedders import DEFAULT_EMBEDDER
from ir_core.errors import BadSource
from ir_core.evaluation import Column, Evaluation, evaluate, judged_queries
from ir_core.index import IndexSettings
from ir_core.library import split_of
from ir_core.retrieval import SearchSettings
from ir_core.schema import MODE_LEGS, Mode
from ir_core.session import Prepared, open_engine, prepare
from ir_core.writers import open_writer
from scripts._measured import Kept
from scripts._table_text import Section, baselines_table, page

MEASURES = ("ndcg@10", "recall@5", "recall@10", "all_gold_recall@5")
FOLLOW_UPS = (JOINED, "condense")
"""For sets with conversations."""
ASKED = (*DEFAULT_TRANSFORMS, *FOLLOW_UPS)
"""The others have tables of their own: docs/expansion.md and docs/hops.md."""
PAGE = Path("docs/transforms-corpus-writer.md")
REFERENCE = IndexSettings(k1=0.9, b=0.4, tokeniser="english-s-1", idf="log1p")
"""What the published baselines were measured with: Lucene's English stop words and Harman's S-stemmer among it."""


@click.command()
@click.option("--data", required=True, type=click.Path(path_type=Path), help="Folder of BEIR folders.")
@click.option("--sets", help="Only these, joined by commas.")
@click.option("--legs", help="Only these of dense, lexical and hybrid.")
@click.option("--split", type=click.Choice(["tune", "test"]), default="test", show_default=True)
@click.option("--out", type=click.Path(path_type=Path), help=f"Default: {PAGE} for test; tune goes to the screen.")
@click.option("--reference", is_flag=True, help="Only the agreement with published baselines, on the screen.")
@click.option("--fresh", is_flag=True, help="Measure again what is kept from an earlier run.")
def main(
    data: Path,
    sets: str | None,
    legs: str | None,
    split: Literal["tune", "test"],
    out: Path | None,
    reference: bool,
    fresh: bool,
) -> None:
    folders = [path for path in sorted(data.iterdir()) if (path / "corpus.jsonl").is_file()]
    if sets:
        folders = [path for path in folders if path.name in sets.split(",")]
    if not folders:
        raise BadSource(f"There is no set in {str(data)!r}: no folder there holds a corpus.jsonl and is asked for.")
    modes: list[Mode] = [mode for mode in MODE_LEGS if not legs or mode in legs.split(",")]  # type: ignore[misc]
    tables: list[Section] = []
    baselines: list[Section] = []
    for folder in folders:
        baselines += measured(folder, REFERENCE, modes, ("identity",), None, fresh)
        if not reference:
            tables += measured(folder, IndexSettings(), modes, ASKED, split, fresh)
    text = baselines_table(baselines) if reference else page(tables, baselines, split)
    target = out or (PAGE if split == "test" and not reference else None)
    if target is None:
        print(text)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
        print(f"{target} is written.", file=sys.stderr)


def measured(
    folder: Path,
    settings: IndexSettings,
    modes: Sequence[Mode],
    transforms: Sequence[str],
    split: str | None,
    fresh: bool,
) -> list[Section]:
    """The set's queries of one split (None: all) in each leg, whole documents, from what is kept or anew."""
    report = Reporter()
    prepared = prepare(str(folder), strategy={"name": "WholeText"}, embedder=DEFAULT_EMBEDDER, settings=settings)
    if settings == REFERENCE:
        prepared = as_published(prepared)
    engine = open_engine(prepared, make_current=False, on_progress=report)
    queries = [query for query in prepared.corpus.queries() if split in (None, split_of(query.id))]
    if not any(query.history for query in queries):
        transforms = [name for name in transforms if name not in FOLLOW_UPS]
    qrels = prepared.corpus.qrels()
    excluded = judged_queries(queries, qrels)[1]
    sections = []
    for mode in modes:
        kept = Kept({"index": engine.index.manifest.fingerprint, "mode": mode, "split": split}, fresh)

        def measure(missing: list[str], mode: Mode = mode) -> Sequence[Column]:
            return evaluate(
                engine,
                queries,
                qrels,
                transforms=[(name, {}) for name in missing],
                writer=open_writer("corpus", index=engine.index),
                settings=SearchSettings(mode=mode),
                measures=MEASURES,
                timed_queries=0,
                on_progress=report,
            ).columns

        name = f"{folder.name}-{settings.k1:g}-{settings.b:g}-{split or 'all'}-{mode}"
        columns = kept.columns(name, transforms, measure)
        report.close()
        print(f"{folder.name} {mode}: done", file=sys.stderr)
        sections.append(Section(folder.name, mode, Evaluation(MEASURES, tuple(columns), tuple(excluded))))
    engine.index.close()
    return sections


def as_published(prepared: Prepared) -> Prepared:
    """Documents written as the baselines' were, "title. text", whatever stands at a title's end: after "(film)" a
    missing full stop moves the dense leg by .006."""
    written = [
        replace(item, raw=". ".join(part for part in (item.raw.get("title"), item.raw.get("text")) if part))
        if isinstance(item.raw, Mapping)
        else item
        for item in prepared.loaded.artifacts
    ]
    return replace(prepared, loaded=replace(prepared.loaded, artifacts=tuple(written)))


if __name__ == "__main__":
    main()
