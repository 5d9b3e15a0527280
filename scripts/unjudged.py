"""Pairs of query and document that some transform puts in its top ten and nobody has judged.

    python -m scripts.unjudged --corpus help_center [--strategy '{"name": "Chunked"}'] [--out pairs.jsonl]

Every registered transform, in each retrieval mode, with the corpus writer and, where a query has them, its authored
texts. Exits 1 when there are any: judge them (a
row with score 0 says "judged, not relevant"), so that no transform is marked down for finding what nobody looked at.
"""

from __future__ import annotations

import json
import sys
from itertools import product
from pathlib import Path
from typing import Any

import click

from ir_core.compare import compare_all
from ir_core.config import MAX_TRANSFORMS
from ir_core.retrieval import SearchSettings
from ir_core.schema import MODE_LEGS
from ir_core.session import open_engine, prepare
from ir_core.transforms import TRANSFORMS
from ir_core.writers import open_writer, with_authored

TOP = 10


@click.command()
@click.option("--corpus", required=True, help="Name or path of a corpus with judged queries.")
@click.option("--strategy", type=json.loads, help="Another than the corpus' own, as JSON: name and params.")
@click.option("--out", type=click.Path(path_type=Path), help="Where to write the pairs, as JSON lines.")
def main(corpus: str, strategy: dict[str, Any] | None, out: Path | None) -> None:
    prepared = prepare(corpus, strategy=strategy)
    engine = open_engine(prepared, make_current=False)
    writer = open_writer("corpus", index=engine.index)
    qrels = prepared.corpus.qrels()
    names = [name for name in TRANSFORMS.names() if name != "identity"]
    room = MAX_TRANSFORMS - 1  # beside the original, which stands in every comparison
    choices = [[(name, {}) for name in names[at : at + room]] for at in range(0, len(names), room)]
    pairs: list[dict[str, str]] = []
    for query in prepared.corpus.queries():
        if query.id not in qrels:
            continue
        found: dict[str, None] = {}
        authored = with_authored(writer, prepared.corpus.authored(), query.text, query.history)
        for mode, author, some in product(MODE_LEGS, dict.fromkeys([writer, authored]), choices):
            settings = SearchSettings(mode=mode, k=TOP)  # type: ignore[arg-type]
            results = compare_all(
                engine, query.text, history=query.history, transforms=some, writer=author, settings=settings
            )
            found.update({hit.artifact_id: None for result in results for hit in result.fused.hits})
        pairs += [{"query": query.id, "document": doc} for doc in found if doc not in qrels[query.id]]
    if out:
        out.write_text("".join(json.dumps(pair) + "\n" for pair in pairs), "utf-8")
    print(f"{len(pairs)} pairs of {corpus} are in some transform's top {TOP} and not judged.")
    sys.exit(bool(pairs))


if __name__ == "__main__":
    main()
