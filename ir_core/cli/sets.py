"""``query-prism sets``: the query sets of a corpus; added from a file, by a public name, or written; deleted."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from ir_core.cli import _query_sets
from ir_core.cli._answers import Answer, answering
from ir_core.cli._main import examples
from ir_core.cli._options import CAP_OPTIONS, WRITER_OPTIONS, with_options
from ir_core.cli._progress import Reporter
from ir_core.cli._tables import counted, plain, queries, table

if TYPE_CHECKING:
    from ir_core.library import Corpus, QuerySet


@click.command(
    "sets",
    epilog=examples(
        "sets --corpus help_center",
        "sets --corpus help_center --queries asked.csv --map id=qid,text=question,documents=gold",
        "sets --corpus help_center --write 50 --writer openai/gpt-4.1-mini --max-usd 0.10",
    ),
)
@click.option("--corpus", required=True, metavar="NAME|PATH", help="Whose sets; query-prism corpora lists them.")
@with_options(_query_sets.QUERIES_OPTION, _query_sets.QRELS_OPTION, _query_sets.MAP_OPTION)
@click.option("--public", metavar="NAME", help="Add a public set by its name in ir_datasets: beir/scifact/test.")
@click.option("--write", type=click.IntRange(1, 500), metavar="N", help="Let a writer ask about N of its passages.")
@click.option("--title", metavar="TEXT", help="What to call the set that is added.")
@click.option("--delete", "gone", metavar="NAME", help="Delete this set.")
@with_options(*WRITER_OPTIONS, *CAP_OPTIONS)
@answering
def command(corpus: str, public: str | None, write: int | None, title: str | None, gone: str | None,
            **options: Any) -> Answer:  # fmt: skip
    """List the query sets of a corpus, or add or delete one. Its own set comes with it and is measured unless another
    is named: evaluate --query-set NAME."""
    from ir_core import library
    from ir_core.errors import BadSetting

    actions = [name for name, given in (("--queries", options["queries_file"]), ("--public", public),
               ("--write", write), ("--delete", gone)) if given]  # fmt: skip
    if len(actions) > 1:
        raise BadSetting(f"{' and '.join(actions)} cannot be done at once. Do one after the other.")
    _query_sets.check(options)
    opened, said, added = library.corpus(corpus), "", None
    if gone:
        library.delete_query_set(opened, gone)
        said = f"{plain(gone)} was deleted; runs that measured it keep its queries."
    elif write:
        added, said = _written(corpus, write, title, options)
    elif public or options["queries_file"]:
        added = _added(opened, public, title or "", options)
    lines = [said] if said else []
    if added:
        counts = queries(added.n_queries or 0), counted(added.n_judgements or 0, "judgement")
        said = f"{plain(added.title)} was added: {', '.join(counts)}."
        lines = [said, *lines, *_left_out(added), *_oddities(opened, added)]
    found = library.query_sets(opened)
    rows = [[one.name, one.kind, one.n_queries if one.folder else "", one.n_judgements if one.folder else "",
             one.title, one.source] for one in found]  # fmt: skip
    lines.append(table(["name", "kind", "queries", "judgements", "title", "from"], rows))
    data = {"corpus": opened.name, "added": added.name if added else None, "notes": lines[:-1],
            "sets": [_json(one) for one in found]}  # fmt: skip
    return Answer(data, "\n".join(lines))


def _added(corpus: Corpus, public: str | None, title: str, options: dict[str, Any]) -> QuerySet:
    from ir_core.library.sets import imported_set, public_set

    if public:
        return public_set(corpus, public, title)
    return imported_set(corpus, title, *_query_sets.opened(options))


def _left_out(added: QuerySet) -> list[str]:
    n = added.n_left_out
    said = f"{counted(n, 'judgement')} of queries that are not in the set {'was' if n == 1 else 'were'} left out."
    return [said] if n else []


def _oddities(corpus: Corpus, added: QuerySet) -> list[str]:
    """What is odd about it, where the corpus has an index its documents too."""
    from ir_core import build
    from ir_core.errors import IndexProblem
    from ir_core.evaluation.oddities import oddities

    try:
        index = build.current(corpus.name)
    except IndexProblem:
        index = None
    return oddities(added.queries(), added.qrels(), set(index.artifact_ids) if index else None)


def _written(name: str, n: int, title: str | None, options: dict[str, Any]) -> tuple[QuerySet, str]:
    from ir_core import build, library
    from ir_core.budget import Cap, Purse, capped
    from ir_core.cli._options import read_price
    from ir_core.embedders import open_embedder
    from ir_core.errors import IndexProblem
    from ir_core.evaluation import synthetic
    from ir_core.retrieval import Engine
    from ir_core.writers import open_writer

    opened = library.corpus(name)
    index = build.current(opened.name)
    if index is None:
        raise IndexProblem(f"{name} has no index to take passages from. Run: query-prism index --corpus {name}")
    engine = Engine(index, open_embedder(index.manifest.embedder))
    writer = open_writer(
        options["writer"], index=index, base_url=options["base_url"], local_files=True,
        price=read_price(options["price"]), deadline_s=options.get("deadline"),
    )  # fmt: skip
    cap = Cap(options.get("max_calls"), options.get("max_usd"))
    writer = capped(writer, Purse(cap, way_out="Raise --max-calls or --max-usd.")) if cap != Cap() else writer
    report = Reporter()
    try:
        made = synthetic.ask_about(engine, writer, n, on_progress=report, use_cache=not options["no_cache"])
    finally:
        report.close()
    return synthetic.keep(opened, made, writer, title=title), made.said


def _json(one: QuerySet) -> dict[str, Any]:
    fields = ("name", "title", "kind", "source", "created", "n_queries", "n_judgements")
    own = asdict(one) if one.folder else {name: getattr(one, name) for name in fields}
    return {name: own[name] for name in fields}
