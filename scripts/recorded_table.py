"""What recorded texts of real LLMs do, replayed with no key: docs/recorded-writers.md.

    python -m scripts.recorded_table --data FOLDER

FOLDER holds BEIR folders: ``scifact`` with ``recorded/``, ``mtrag_govt`` with ``queries_rewrite.jsonl``. The indexes
are those of ``scripts.transform_table --reference``, and are built where they are missing.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ir_core.cli._progress import Reporter
from ir_core.embedders import DEFAULT_EMBEDDER
from ir_core.errors import BadSource
from ir_core.evaluation import Column, Difference, Evaluation, evaluate
from ir_core.retrieval import Engine, SearchSettings
from ir_core.schema import Mode
from ir_core.session import Prepared, open_engine, prepare
from ir_core.writers.recorded import RecordedWriter
from scripts._table_text import difference
from scripts.transform_table import REFERENCE, as_published

PAGE = Path("docs/recorded-writers.md")
MEASURES = ("ndcg@10", "recall@10")
ALONE, MEAN = {"with_query": False}, {"with_query": True}


@dataclass(frozen=True, slots=True)
class Plan:
    """One recorded file: what its texts stand for, and what is made of them. ``expected`` is nDCG@10 measured
    elsewhere, of the original and then of each of ``transforms``."""

    title: str
    set: str
    file: str
    task: str
    mode: Mode
    transforms: Sequence[tuple[str, str, Mapping[str, Any]]]
    expected: Sequence[float | None]


HYDE = (("passage alone", "hyde", ALONE), ("mean with the query", "hyde", MEAN))
QUERY2DOC = (("query five times and passage", "query2doc", {}),)
REWRITE = (("rewrite", "rewrite", {}),)
PLANS = (
    Plan("query2doc passages by GPT-4.1, as HyDE", "scifact", "recorded/query2doc-zs__gpt-4.1.jsonl",
         "hyde", "dense", HYDE, (0.648, 0.680, 0.694)),
    Plan("query2doc passages by Qwen2.5-7B, as HyDE", "scifact", "recorded/query2doc-zs__Qwen2.5-7B-Instruct.jsonl",
         "hyde", "dense", HYDE, (0.648, 0.654, 0.688)),
    Plan("query2doc passages by GPT-4.1, as query2doc", "scifact", "recorded/query2doc-zs__gpt-4.1.jsonl",
         "query2doc", "lexical", QUERY2DOC, (0.667, 0.706)),
    Plan("query2doc passages by GPT-4.1, as query2doc", "scifact", "recorded/query2doc-zs__gpt-4.1.jsonl",
         "query2doc", "hybrid", QUERY2DOC, (0.690, 0.730)),
    Plan("QA-Expand answers by GPT-4.1, as HyDE", "scifact", "recorded/qa_expand__gpt-4.1.jsonl",
         "hyde", "dense", HYDE, (0.648, None, None)),
    Plan("the benchmark's rewrites of the last turn", "mtrag_govt", "queries_rewrite.jsonl",
         "rewrite", "hybrid", REWRITE, (0.625, 0.697)),
    Plan("the benchmark's rewrites of the last turn", "mtrag_govt", "queries_rewrite.jsonl",
         "rewrite", "lexical", REWRITE, (0.541, 0.615)),
)  # fmt: skip

INTRODUCTION = """# Recorded texts of real LLMs, replayed

What hosted models once wrote for the queries of two public test collections, replayed by the recorded writer with no
key and no network. Made by

    python -m scripts.recorded_table --data FOLDER

where FOLDER holds the sets in BEIR's layout. Whole documents, all-MiniLM-L6-v2 (256 tokens), BM25 with k1 {k1:g} and
b {b:g}, both legs read 50 deep and joined by reciprocal rank fusion (k = 60); all queries of each set. One file and
one query at a time, on the command line: `query-prism compare QUERY --corpus FOLDER/scifact --writer
recorded:hyde:FOLDER/scifact/{example}`.

- A difference is to the original on the same queries, with the 95 % interval of a paired bootstrap over them (9,999
  resamples). Bold: the interval leaves out zero. Anything else is no evidence of a difference.
- Elsewhere: nDCG@10 as it was measured with other programs on the same texts and embedder.
- Fell back: queries whose recorded reply was blank or an empty `{{}}`; the original was searched, and is counted.
- The recordings say nothing of time, tokens and cost: these are unknown, not 0.
"""
HEAD = (
    "| searched | nDCG@10 | elsewhere | difference | recall@10 | difference | won / tied / lost | n | fell back |\n"
    "|---|---|---|---|---|---|---|---|---|"
)


@click.command()
@click.option("--data", required=True, type=click.Path(path_type=Path), help="Folder of BEIR folders.")
@click.option("--out", type=click.Path(path_type=Path), default=PAGE, show_default=True)
def main(data: Path, out: Path) -> None:
    text = [INTRODUCTION.format(k1=REFERENCE.k1, b=REFERENCE.b, example=PLANS[0].file)]
    for name in dict.fromkeys(plan.set for plan in PLANS):
        if not (data / name / "corpus.jsonl").is_file():
            raise BadSource(f"{str(data)!r} holds no {name}. Name the folder that does.")
        prepared = as_published(
            prepare(str(data / name), strategy={"name": "WholeText"}, embedder=DEFAULT_EMBEDDER, settings=REFERENCE)
        )
        report = Reporter()
        engine = open_engine(prepared, make_current=False, on_progress=report)
        report.close()
        text += [section(plan, measured(plan, prepared, engine, data)) for plan in PLANS if plan.set == name]
        engine.index.close()
    page = "\n".join(text)
    print(page)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(page, "utf-8")
    print(f"{out} is written.", file=sys.stderr)


def measured(plan: Plan, prepared: Prepared, engine: Engine, data: Path) -> Evaluation:
    queries = prepared.corpus.queries()
    writer = RecordedWriter(
        data / plan.set / plan.file, task=plan.task, queries=queries, surfaces=engine.index.row_of
    )
    report = Reporter()
    found = evaluate(
        engine,
        queries,
        prepared.corpus.qrels(),
        transforms=[(name, settings) for _, name, settings in plan.transforms],
        writer=writer,
        settings=SearchSettings(mode=plan.mode),
        measures=MEASURES,
        timed_queries=0,
        on_progress=report,
    )
    report.close()
    return found


def section(plan: Plan, found: Evaluation) -> str:
    """One table: the original, then each way to search what was recorded."""
    lines = [f"## {plan.set}, {plan.mode}: {plan.title}\n\n`{plan.file}`, replayed as `{plan.task}`.\n\n{HEAD}"]
    names = ["the query", *(label for label, _, _ in plan.transforms)]
    for label, column, elsewhere in zip(names, found.columns, plan.expected, strict=True):
        lines.append(_row(label, column, found, elsewhere))
    reasons = Counter(row.fallback_reason for row in found.columns[1].rows if row.fallback_reason)
    if reasons:
        lines.append("\nWhy they fell back:\n")
        lines += [f"- {count} of {found.n}: {reason}" for reason, count in reasons.most_common()]
    return "\n".join([*lines, ""])


def _row(label: str, column: Column, found: Evaluation, elsewhere: float | None) -> str:
    total = found.summary(column)
    fell_back = sum(row.fallback_reason is not None for row in column.rows)
    main, other = (total.difference[name] for name in MEASURES)
    cells = [label, _figure(total.means["ndcg@10"]), _figure(elsewhere), _against(main, column, found),
             _figure(total.means["recall@10"]), _against(other, column, found),
             "" if column is found.columns[0] else f"{main.wins} / {main.ties} / {main.losses}",
             str(total.n), str(fell_back)]  # fmt: skip
    return "| " + " | ".join(cells) + " |"


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _against(found: Difference, column: Column, evaluation: Evaluation) -> str:
    return "" if column is evaluation.columns[0] else difference(found)


if __name__ == "__main__":
    main()
