"""``query-prism route``: what kind of query it is, which transform that calls for, and what it finds."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ir_core.cli._answers import Answer, answering
from ir_core.cli._main import examples
from ir_core.cli._opening import Opened, open_all
from ir_core.cli._options import (
    CAP_OPTIONS,
    HISTORY_OPTION,
    INDEX_OPTIONS,
    RECORD_OPTION,
    SEARCH_OPTIONS,
    WRITER_OPTIONS,
    read_history,
    with_options,
)
from ir_core.cli._progress import Reporter
from ir_core.cli._results import result_json, result_text
from ir_core.cli._tables import counted, plain, queries
from ir_core.errors import BadInput, BadQuery, BadSetting

if TYPE_CHECKING:
    from ir_core.router import Decider, Routed, RouteTable
    from ir_core.schema import Turn

MOST_QUERIES = 2_000
Asked = tuple[str, "tuple[Turn, ...]", str]
"""Text, history, and in a file its place or id."""
SHOWN_PLACES = 10


@click.command(
    "route",
    epilog=examples(
        "route 'who is logged in as me' --corpus help_center",
        "route --file queries.txt --corpus help_center --table course --decider signal:threshold=0.6 --json",
    ),
)
@click.argument("query", required=False)
@click.option(
    "--file",
    "file",
    metavar="F",
    help="Many queries: one on each line, or a queries.jsonl as BEIR has it, with history.",
)
@click.option(
    "--table",
    "table_name",
    default="ours",
    show_default=True,
    metavar="NAME|LINE",
    help="Which transform a label calls for: ours, course, lecture, muffakir, one you saved, or a table in one line, "
    "such as 'broad=multi_query(n=4);multi_hop=decompose'.",
)
@click.option(
    "--decider",
    "decider_name",
    default="rules",
    show_default=True,
    metavar="NAME[:KEY=VALUE,…]",
    help="Who gives the label: rules, llm, examples:k=7 or signal:threshold=0.5.",
)
@with_options(*INDEX_OPTIONS, *WRITER_OPTIONS, RECORD_OPTION, *CAP_OPTIONS, *SEARCH_OPTIONS, HISTORY_OPTION)
@answering
def command(
    query: str | None,
    file: str | None,
    table_name: str,
    decider_name: str,
    writer: str,
    base_url: str | None,
    price: str | None,
    no_cache: bool,
    record: str | None,
    history_file: str | None,
    **options: Any,
) -> Answer:
    """Give QUERY a label, take the route the table has for it, and say why and what it took.

    With --file the JSON is a list; what was left out of it is said on standard error. Calls are requests to the
    writer, searches query texts searched; both hold the decider's own.
    """  # fmt: skip
    asked, left_out = _asked(query, file, history_file), ""
    if file is not None:
        asked, left_out = _with_text(asked, file)
    table, decider = _table(table_name), _decider(decider_name)
    opened = open_all(
        options, query=query, only="identity", writer=writer, base_url=base_url, price=price, no_cache=no_cache,
        record=record,
    )  # fmt: skip
    found = _routed(opened, asked, table, decider)
    told = [_json(text, one) for (text, *_), one in zip(asked, found, strict=True)]
    texts = [_text(text, one) for (text, *_), one in zip(asked, found, strict=True)]
    return Answer(told[0] if file is None else told, "\n\n".join(texts), note=left_out)


def _asked(query: str | None, file: str | None, history_file: str | None) -> list[Asked]:
    """:raises BadInput: for both or neither of query and file, and a file that cannot be read or holds no query."""
    if (query is None) == (file is None):
        raise BadSetting("Give one QUERY, or --file with many; not both and not neither.")
    if query is not None:
        return [(query, read_history(history_file), "")]
    assert file is not None
    if history_file is not None:
        raise BadSetting("--history belongs to one QUERY. In a queries.jsonl each query has its own.")
    try:
        data = Path(file).read_bytes()
    except OSError as error:
        raise BadInput(f"--file {file!r} cannot be read: {error.strerror}. Give a text file.") from None
    if file.lower().endswith(".jsonl"):
        from ir_core.library.queries import read_queries

        found: list[Asked] = [(one.text, one.history, repr(one.id)) for one in read_queries(data)]
    else:
        from ir_core.loaders import decode

        try:
            lines = decode(data)[0].splitlines()
        except BadInput as error:
            raise BadInput(f"--file {file!r} {error}.") from None
        found = [(line.strip(), (), f"line {n}") for n, line in enumerate(lines, start=1) if line.strip()]
    if not 1 <= len(found) <= MOST_QUERIES:
        raise BadInput(f"--file {file!r} holds {len(found):,} queries; 1 to {MOST_QUERIES:,} can be routed.")
    return found


def _with_text(asked: list[Asked], file: str) -> tuple[list[Asked], str]:
    """Those of a file that have anything to search, and a sentence about the others; blank where there are none.

    :raises BadQuery: when none does.
    """
    from ir_core.retrieval import clean_query

    kept: list[Asked] = []
    gone: list[str] = []
    for one in asked:
        try:
            clean_query(one[0])
            kept.append(one)
        except BadQuery:
            gone.append(one[2])
    shown = ", ".join(map(plain, gone[:SHOWN_PLACES])) + (", …" if len(gone) > SHOWN_PLACES else "")
    said = f"{queries(len(gone))} without text {'was' if len(gone) == 1 else 'were'} left out: {shown}."
    if not kept:
        raise BadQuery(f"--file {file!r} holds no query with text in it ({shown}). Write one on each line.")
    return kept, said if gone else ""


def _table(name: str) -> RouteTable:
    from ir_core.router import from_line, get_table

    return from_line(name) if "=" in name else get_table(name)


def _decider(text: str) -> Decider:
    from ir_core.router import DECIDERS

    name, _, pairs = text.partition(":")
    settings = {}
    for pair in filter(None, pairs.split(",")):
        key, sign, value = pair.partition("=")
        if not sign:
            raise BadSetting(
                f"--decider {text!r}: {pair!r} is not key=value. Write for example signal:threshold=0.6."
            )
        settings[key.strip()] = value.strip()
    return DECIDERS.make(name, settings)


def _routed(opened: Opened, asked: list[Asked], table: RouteTable, decider: Decider) -> list[Routed]:
    from ir_core.protocols import Progress
    from ir_core.router import labelled, own_labels, route

    known = (*labelled(opened.prepared.corpus.queries()), *own_labels(opened.prepared.name))
    report, found = Reporter(), []
    for number, (text, history, _) in enumerate(asked, start=1):
        found.append(
            route(
                opened.engine, text, decider=decider, table=table, writer=opened.writer, settings=opened.settings,
                history=history, examples=known, use_cache=opened.use_cache,
            )
        )  # fmt: skip
        if len(asked) > 1:
            report(Progress("queries", number, len(asked)))
    report.close()
    return found


def _json(query: str, found: Routed) -> dict[str, Any]:
    decision = found.decision
    return {
        "query": query,
        "label": decision.label,
        "decider": decision.decider,
        "reasons": [asdict(reason) for reason in decision.reasons],
        "confidence": decision.confidence,
        "confidence_from": decision.confidence_from,
        "fallback_reason": decision.fallback_reason,
        "then": found.then.label if found.then else None,
        "transform": found.transform,
        "settings": dict(found.settings),
        "n_calls": found.n_calls,
        "n_searches": found.n_searches,
        "seconds": found.seconds,
        "result": result_json(found.result),
    }


def _text(query: str, found: Routed) -> str:
    decision = found.decision
    then = f", then {found.then.label}" if found.then else ""
    searches = f"{found.n_searches:,} search{'' if found.n_searches == 1 else 'es'}"
    lines = [plain(query, 100), f"   {decision.label}{then} -> {plain(found.transform)} (by {decision.decider}; "
             f"{counted(found.n_calls, 'call')}, {searches})"]  # fmt: skip
    lines += [f"   {plain(decision.fallback_reason)}"] if decision.fallback_reason else []
    for reason in decision.reasons:
        weight = "" if reason.weight is None else f"{reason.weight:+g} {reason.label or ''}  "
        lines.append(f"   {weight}{plain(reason.text, 90)}")
    return "\n".join([*lines, result_text(found.result)])
