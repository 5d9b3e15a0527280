"""``query-prism search``: one query, as it was typed."""

from __future__ import annotations

from typing import Any

import click

from ir_core.cli._answers import Answer, answering
from ir_core.cli._main import examples
from ir_core.cli._opening import open_all
from ir_core.cli._options import INDEX_OPTIONS, SEARCH_OPTIONS, with_options
from ir_core.cli._results import result_json, result_text


@click.command(
    "search",
    epilog=examples(
        "search 'export a document' --corpus help_center",
        "search 'leave at noon' --corpus notes.csv --text-column body --mode lexical --json",
    ),
)
@click.argument("query")
@with_options(*INDEX_OPTIONS, *SEARCH_OPTIONS)
@answering
def command(query: str, **options: Any) -> Answer:
    """Search QUERY exactly as typed. The JSON is that of compare, with one result."""
    from ir_core.compare import compare_all

    opened = open_all(options, query=query, only="identity")
    [result] = compare_all(
        opened.engine, query, transforms=opened.choices, writer=opened.writer, settings=opened.settings
    )
    return Answer(
        {
            "query": result.formulation.original.text,
            "config": opened.config(),
            "startup_s": opened.startup_s,
            "results": [result_json(result)],
        },
        result_text(result),
    )
