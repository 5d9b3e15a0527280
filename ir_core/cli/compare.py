"""``query-prism compare``: one query through every transform, side by side."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from ir_core.cli._answers import Answer, answering
from ir_core.cli._main import examples
from ir_core.cli._opening import open_all
from ir_core.cli._options import (
    CAP_OPTIONS,
    HISTORY_OPTION,
    INDEX_OPTIONS_WITH_TRANSFORMS,
    RECORD_OPTION,
    SEARCH_OPTIONS,
    TRANSFORMS_OPTION,
    WRITER_OPTIONS,
    read_history,
    with_options,
)
from ir_core.cli._results import result_json, result_text


@click.command(
    "compare",
    epilog=examples(
        "compare 'who is logged in as me' --corpus help_center",
        "compare 'late fees' --corpus contracts.zip --transforms hyde,decompose --set hyde.with_query=no",
    ),
)
@click.argument("query")
@with_options(
    *INDEX_OPTIONS_WITH_TRANSFORMS,
    TRANSFORMS_OPTION,
    *WRITER_OPTIONS,
    RECORD_OPTION,
    *CAP_OPTIONS,
    *SEARCH_OPTIONS,
    HISTORY_OPTION,
)
@answering
def command(
    query: str,
    transforms: str | None,
    writer: str,
    base_url: str | None,
    price: str | None,
    no_cache: bool,
    record: str | None,
    history_file: str | None,
    **options: Any,
) -> Answer:
    """Run QUERY through the transforms: what each makes of it, what that finds, and what it takes.

    A sample's own query may have authored examples, which the corpus writer then leaves the word to; they are marked.
    """
    from ir_core.compare import compare_all, with_joined_turns

    history = read_history(history_file)
    opened = open_all(
        options, query=query, transforms=transforms, writer=writer, base_url=base_url, price=price,
        no_cache=no_cache, record=record, authored=True, history=history,
    )  # fmt: skip
    if transforms is None:
        opened = replace(opened, choices=with_joined_turns(opened.choices, history))
    results = compare_all(
        opened.engine,
        query,
        transforms=opened.choices,
        writer=opened.writer,
        settings=opened.settings,
        history=history,
        use_cache=opened.use_cache,
    )
    original, *others = results
    return Answer(
        {
            "query": original.formulation.original.text,
            "config": opened.config(history),
            "startup_s": opened.startup_s,
            "results": [result_json(result) for result in results],
        },
        "\n\n".join([result_text(original), *(result_text(result, original) for result in others)]),
    )
