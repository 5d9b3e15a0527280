"""``query-prism compare``: one query through every transform, side by side."""

from __future__ import annotations

from typing import Any

import click

from ir_core.cli._answers import Answer, answering
from ir_core.cli._comparing import compared, comparing
from ir_core.cli._main import examples
from ir_core.cli._results import result_json, result_text


@click.command(
    "compare",
    epilog=examples(
        "compare 'who is logged in as me' --corpus help_center",
        "compare 'late fees' --corpus contracts.zip --transforms hyde,decompose --set hyde.with_query=no",
    ),
)
@click.argument("query")
@comparing
@answering
def command(query: str, **options: Any) -> Answer:
    """Run QUERY through the transforms: what each makes of it, what that finds, and what it takes.

    A sample's own query may have authored examples, which the corpus writer then leaves the word to; they are marked.
    """
    made = compared(query, **options)
    original, *others = made.results
    return Answer(
        {**made.told, "results": [result_json(result) for result in made.results]},
        "\n\n".join([result_text(original), *(result_text(result, original) for result in others)]),
    )
