"""Our measures against pytrec_eval's own, on judged sets, to 1e-9.

    python -m scripts.measures_reference --data FOLDER

FOLDER holds sets in BEIR's layout. The lists are made, not searched: from each query's judged documents and others,
shuffled with a fixed seed, some of them empty, so that every family meets every case. Also written as a TREC run and
read again. Exits 1 when a figure differs.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
import pytrec_eval

from ir_core.evaluation import parse, score
from ir_core.evaluation.measures import needed
from ir_core.export.trec import qrels_lines, run_lines, token
from ir_core.library.queries import read_qrels

CUTOFFS = (1, 3, 5, 10, 20)
THEIRS = {
    "ndcg": "ndcg_cut_{k}", "recall": "recall_{k}", "precision": "P_{k}", "map": "map_cut_{k}",
    "success": "success_{k}", "mrr": "recip_rank",
}  # fmt: skip
TOLERANCE = 1e-9
Qrels = Mapping[str, Mapping[str, int]]
Runs = Mapping[str, Sequence[str]]


def made_runs(qrels: Qrels, documents: Sequence[str], seed: int) -> dict[str, list[str]]:
    """Query id to 25 documents in a random order, judged ones among them; every tenth list is empty."""
    chance = random.Random(seed)
    pool = sorted(documents)
    runs = {}
    for number, (query, judged) in enumerate(sorted(qrels.items())):
        mixed = dict.fromkeys([*chance.sample(pool, min(20, len(pool))), *sorted(judged)[:8]])
        runs[query] = [] if number % 10 == 9 else chance.sample(list(mixed), min(25, len(mixed)))
    return runs


def largest_difference(qrels: Qrels, documents: Sequence[str], seed: int = 0) -> float:
    """Over every query, family and cut-off, of ours to pytrec_eval's, before and after a TREC file."""
    runs = made_runs(qrels, documents, seed)
    wanted = [parse(f"{family}@{k}") for family in (*THEIRS, "all_gold_recall") for k in CUTOFFS]
    ours = score(wanted, qrels, runs)
    named = {token(query): query for query in runs}
    run = pytrec_eval.parse_run("".join(run_lines(query, docs, "t") for query, docs in runs.items()).splitlines())
    judged = pytrec_eval.parse_qrel("".join(qrels_lines(name, qrels[name]) for name in runs).splitlines())
    worst = 0.0
    for k in CUTOFFS:
        cut = {query: _first(docs, k) for query, docs in run.items()}
        names = {template.format(k=k).replace(f"_{k}", f".{k}") for template in THEIRS.values()}
        theirs = pytrec_eval.RelevanceEvaluator(judged, names).evaluate(cut)
        for written, query in named.items():
            found = theirs.get(written, {})
            for family, template in THEIRS.items():
                worst = max(worst, abs(ours[query][f"{family}@{k}"] - found.get(template.format(k=k), 0.0)))
            gold = needed(qrels[query])
            whole = float(bool(gold) and gold <= set(runs[query][:k]))
            worst = max(worst, abs(ours[query][f"all_gold_recall@{k}"] - whole))
    return worst


def _first(docs: Mapping[str, float], k: int) -> dict[str, float]:
    return dict(sorted(docs.items(), key=lambda item: -item[1])[:k])


@click.command()
@click.option("--data", required=True, type=click.Path(path_type=Path, exists=True, file_okay=False))
def main(data: Path) -> None:
    worst = 0.0
    for folder in sorted(path for path in data.iterdir() if (path / "qrels").is_dir()):
        for file in sorted((folder / "qrels").glob("*.tsv")):
            qrels = read_qrels(file.read_bytes())
            with (folder / "corpus.jsonl").open(encoding="utf-8") as lines:
                documents = [str(json.loads(line)["_id"]) for line in lines if line.strip()]
            found = largest_difference(qrels, documents)
            print(f"{folder.name}/{file.name}: {len(qrels)} queries, largest difference {found:.1e}")
            worst = max(worst, found)
    sys.exit(worst >= TOLERANCE)


if __name__ == "__main__":
    main()
