"""Which queries and judgements a command measures with: the corpus' own, a kept set, or files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ir_core.errors import BadSetting, BadSource

if TYPE_CHECKING:
    from ir_core.library import Corpus, JudgedQuery, Qrels
    from ir_core.loaders.judged import Columns, Seen

QUERIES_OPTION = click.option(
    "--queries", "queries_file", metavar="FILE",
    help="Queries of a file in place of the corpus': a BEIR folder, zip or queries.jsonl, TREC topics, JSON Lines, "
    "CSV or TSV.",
)  # fmt: skip
QRELS_OPTION = click.option(
    "--qrels",
    "qrels_file",
    metavar="FILE",
    help="Their judgements, where they are in another file: BEIR's or TREC's.",
)
MAP_OPTION = click.option(
    "--map", "mapping", metavar="A=X,B=Y",
    help="Which column of a table is what: id, text, category, answers, history, documents, grade, split. "
    "For instance id=qid,text=question. What is left out is guessed by its name.",
)  # fmt: skip
SET_OPTIONS = (
    click.option(
        "--query-set", metavar="NAME", help="A query set that was added to the corpus; query-prism sets lists them."
    ),
    QUERIES_OPTION,
    QRELS_OPTION,
    MAP_OPTION,
)


@dataclass(frozen=True)
class Chosen:
    """``config`` is what reproduces the choice; empty for the corpus' own."""

    queries: list[JudgedQuery]
    qrels: Qrels
    config: Mapping[str, Any] = field(default_factory=dict)


def check(options: Mapping[str, Any]) -> None:
    """:raises BadSetting: for options that do not go together; before anything slow."""
    if options.get("query_set") and options["queries_file"]:
        raise BadSetting("--query-set and --queries both name the queries. Leave one of them out.")
    if options["mapping"] and not options["queries_file"]:
        raise BadSetting("--map is for the columns of --queries. Name that file, too.")
    if options["qrels_file"] and not options["queries_file"]:
        raise BadSetting("--qrels are the judgements of --queries. Name that file, too.")


def chosen(corpus: Corpus, options: Mapping[str, Any]) -> Chosen:
    """:raises BadInput: for a set there is not, or a file that cannot be read."""
    from ir_core.library import query_set
    from ir_core.library.sets import read_set

    if options["queries_file"]:
        seen, qrels, columns = opened(options)
        config = {"file": options["queries_file"], "qrels": options["qrels_file"], "map": options["mapping"]}
        return Chosen(*read_set(seen, qrels, columns), config)
    found = query_set(corpus, options.get("query_set"))
    return Chosen(found.queries(), found.qrels(), {"set": found.name} if options.get("query_set") else {})


def opened(options: Mapping[str, Any]) -> tuple[Seen, tuple[str, bytes] | None, Columns | None]:
    """The files that the options name, looked at.

    :raises BadInput: when one cannot be read, or the mapping names a column there is not.
    """
    from ir_core.loaders import judged

    seen = judged.look(Path(options["queries_file"]).expanduser())
    columns = None
    if options["mapping"]:
        if seen.table is None:
            raise BadSetting(
                f"--map is for a table, and {seen.name} is a {seen.what}, which needs none. Leave it out."
            )
        columns = judged.parse_map(options["mapping"], seen.table)
    return seen, _bytes(options["qrels_file"]), columns


def _bytes(file: str | None) -> tuple[str, bytes] | None:
    if file is None:
        return None
    path = Path(file).expanduser()
    try:
        return path.name, path.read_bytes()
    except OSError as error:
        raise BadSource(f"--qrels {file!r} cannot be read ({error.strerror}). Check the path.") from None
