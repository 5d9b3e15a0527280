"""``query-prism move``: a corpus' vectors to a Chroma server, to Chroma Cloud, or back into the index folder."""

from __future__ import annotations

from typing import Any

import click

from ir_core.cli._answers import Answer, answering
from ir_core.cli._main import examples
from ir_core.cli._progress import Reporter
from ir_core.cli._tables import counted, plain, seconds


@click.command(
    "move",
    epilog=examples(
        "move --corpus help_center --to http://127.0.0.1:8000", "move --corpus help_center --to embedded"
    ),
)
@click.option("--corpus", required=True, metavar="NAME|PATH", help="A corpus by name, or by its path, with an index.")
@click.option(
    "--to",
    "to",
    required=True,
    metavar="embedded|URL|cloud",
    help="Where its vectors go: embedded, into the index folder; a Chroma server by its address, such as "
    "http://127.0.0.1:8000; cloud, with the key in CHROMA_API_KEY.",
)
@click.option("--tenant", default="", metavar="NAME", help="Of the server or the cloud, where it is not the default.")
@click.option("--database", default="", metavar="NAME", help="Likewise.")
@answering
def command(corpus: str, to: str, tenant: str, database: str) -> Answer:
    """Move a corpus' vectors. The old copy serves until the new one is complete, and is removed only then."""
    from ir_core import config, library
    from ir_core.errors import IndexProblem
    from ir_core.index import folders
    from ir_core.index.chroma_place import place_of
    from ir_core.index.move import move
    from ir_core.index.progress import Job
    from ir_core.protocols import Timer

    target = place_of(to, tenant, database)
    name = library.corpus(corpus).info.name
    folder = folders.corpus_folder(name)
    if folders.current_build(folder) is None:
        raise IndexProblem(f"The corpus {name!r} has no index to move. Build it: query-prism index --corpus {corpus}")
    report, timer = Reporter(), Timer()
    try:
        with config.keeping("The moved index"):
            moved = move(folder, target, Job(report))
    finally:
        report.close()
    data: dict[str, Any] = {
        "corpus": name,
        "to": str(target),
        "builds": moved.builds,
        "of_builds": moved.of,
        "vectors": moved.vectors,
        "seconds": timer.seconds,
    }
    where = f"{'in' if target.kind == 'embedded' else 'on'} {target.label}"
    if moved.builds:
        text = (
            f"{plain(name)}: {moved.builds} of {counted(moved.of, 'build')} moved, now {where}; "
            f"{counted(moved.vectors, 'vector')} in {seconds(timer.seconds)}."
        )
    else:
        text = f"{plain(name)}: its vectors are {where} already."
    return Answer(data, text)
