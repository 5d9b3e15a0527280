"""What a weak writer does: SmolLM2-135M on 50 queries of each set, in both legs: docs/local-writer.md.

    python -m scripts.local_table --data FOLDER

FOLDER holds BEIR folders. What the model wrote is kept among the replies under QUERY_PRISM_HOME, with the seconds it
took, so a stopped run goes on where it was.
"""

from __future__ import annotations

import random
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import click

from ir_core.cli._progress import Reporter
from ir_core.config import BM25_B, BM25_K1
from ir_core.embedders import DEFAULT_EMBEDDER
from ir_core.errors import BadSource
from ir_core.evaluation import evaluate, judged_queries
from ir_core.protocols import RunContext
from ir_core.retrieval import SearchSettings
from ir_core.schema import Call, Mode, Task, Written
from ir_core.session import open_engine, prepare
from ir_core.transforms import TRANSFORMS
from ir_core.writers.local import LocalWriter
from scripts._table_text import Section, transforms_table

PAGE = Path("docs/local-writer.md")
SETS = ("scifact", "hotpotqa_train100", "musique_train100", "mtrag_govt", "codebase")
TRANSFORM_NAMES = ("identity", "rewrite", "multi_query", "hyde", "decompose", "step_back")
MODES: tuple[Mode, ...] = ("dense", "hybrid")
MEASURES = ("ndcg@10", "recall@5", "all_gold_recall@5")
QUERIES, SEED = 50, 7
PATIENT_S = 600.0
"""A busy machine shows in the seconds, not in what falls back."""

INTRODUCTION = """# What a weak writer does

SmolLM2-135M-Instruct (135 million parameters, 4 bits, 94 MB) in this process, with no key and no network, on {n}
queries of each of five public sets. Made by

    python -m scripts.local_table --data FOLDER

where FOLDER holds the sets in BEIR's layout. The model is asked with three worked examples, at temperature 0
(`ir_core/prompts/local/`). Whole documents, all-MiniLM-L6-v2 (256 tokens), BM25 with k1 {k1:g} and b {b:g}, both legs
read 50 deep and joined by reciprocal rank fusion (k = 60); every transform with its default settings.

It teaches what a writer that knows little does to retrieval: it is no measure of the transforms. What capable models
do is in [recorded-writers.md](recorded-writers.md), what no model does in
[transforms-corpus-writer.md](transforms-corpus-writer.md).

- A difference is to the original on the same queries, with the 95 % interval of a paired bootstrap over them (9,999
  resamples). Bold: the interval leaves out zero, which is no test: with few queries or many ties
  such an interval is too short (docs/evidence.md), and none is corrected for how many stand here
  ({intervals}). Anything else is no evidence of a difference.
- Won, tied and lost count queries by nDCG@10. All-gold recall is 1 where every needed document is in the top five.
- Fell back: the share of queries for which nothing usable was written, and the original was searched.
- A follow-up (mtrag_govt) is searched as its last turn: the model cannot use a conversation, and is given none.
- A question that decomposition leaves whole is no fallback; it is searched as it is, and ties.
"""
SECONDS = """## Seconds per call

Median of the seconds of one reply, waiting for the model's turn not counted, on one thread of a machine with two
cores that had other work beside it; a busier machine takes longer.
"""
LISTED = """## The queries

{n} of each set's judged queries, drawn with seed {seed}.
"""


@dataclass
class Seconds:
    """Of each call, by task; of a kept reply those of the first time."""

    by_task: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def add(self, call: Call) -> None:
        seconds = call.first_s if call.cached else call.seconds
        if seconds is not None:
            self.by_task[call.task].append(seconds)


class TimedWriter(LocalWriter):
    def __init__(self, seconds: Seconds) -> None:
        super().__init__(deadline_s=PATIENT_S)
        self._seconds = seconds

    def write(self, task: Task, context: RunContext) -> list[Written]:
        try:
            return super().write(task, context)
        finally:
            for call in context.calls:
                self._seconds.add(call)


@dataclass(frozen=True)
class Measured:
    set: str
    sections: list[Section]
    seconds: Seconds
    ids: list[str]


@click.command()
@click.option("--data", required=True, type=click.Path(path_type=Path), help="Folder of BEIR folders.")
@click.option("--sets", help="Only these, joined by commas; they go to the screen.")
def main(data: Path, sets: str | None) -> None:
    chosen = tuple(sets.split(",")) if sets else SETS
    if missing := [name for name in chosen if not (data / name / "corpus.jsonl").is_file()]:
        raise BadSource(f"{str(data)!r} holds no {', '.join(missing)}. Name the folder that does.")
    text = page([measured(data / name) for name in chosen])
    if sets:
        print(text)
    else:
        PAGE.write_text(text, "utf-8")
        print(f"{PAGE} is written.", file=sys.stderr)


def measured(folder: Path) -> Measured:
    report, seconds = Reporter(), Seconds()
    prepared = prepare(str(folder), strategy={"name": "WholeText"}, embedder=DEFAULT_EMBEDDER)
    engine = open_engine(prepared, make_current=False, on_progress=report)
    qrels = prepared.corpus.qrels()
    judged = {query.id: query for query in judged_queries(prepared.corpus.queries(), qrels)[0]}
    ids = sorted(random.Random(SEED).sample(sorted(judged), QUERIES))
    sections = []
    for mode in MODES:
        found = evaluate(
            engine,
            [judged[name] for name in ids],
            qrels,
            transforms=[(name, {}) for name in TRANSFORM_NAMES],
            writer=TimedWriter(seconds if mode == MODES[0] else Seconds()),
            settings=SearchSettings(mode=mode),
            measures=MEASURES,
            timed_queries=0,
            on_progress=report,
        )
        report.close()
        print(f"{folder.name} {mode}: done", file=sys.stderr, flush=True)
        sections.append(Section(folder.name, mode, found))
    engine.index.close()
    return Measured(folder.name, sections, seconds, ids)


def page(found: list[Measured]) -> str:
    intervals = len(found) * len(MODES) * (len(TRANSFORM_NAMES) - 1) * len(MEASURES)
    parts = [INTRODUCTION.format(n=QUERIES, k1=BM25_K1, b=BM25_B, intervals=intervals)]
    parts += [transforms_table([section for one in found for section in one.sections]), SECONDS]
    tasks = TRANSFORM_NAMES[1:]
    parts.append("| set | " + " | ".join(TRANSFORMS.get(name).label for name in tasks) + " |\n|" + "---|" * 6)
    for one in found:
        times = [one.seconds.by_task.get(name) for name in tasks]
        parts.append("| " + " | ".join([one.set, *(f"{median(s):.2f}" if s else "" for s in times)]) + " |")
    parts.append("\n" + LISTED.format(n=QUERIES, seed=SEED))
    parts += [f"- {one.set}: {' '.join(one.ids)}" for one in found]
    return "\n".join([*parts, ""])


if __name__ == "__main__":
    main()
