"""The options of ``evaluate``, and what goes with a run that is there already."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from ir_core.cli import _judge, _query_sets
from ir_core.cli._options import (
    CAP_OPTIONS,
    RECORD_OPTION,
    SEARCH_OPTIONS,
    SEVERAL_INDEX_OPTIONS,
    TRANSFORMS_OPTION,
    WRITER_OPTIONS,
    check_file,
    with_options,
)
from ir_core.errors import BadInput, BadSetting

F = TypeVar("F", bound=Callable[..., Any])
MEASURES_OPTION = click.option(
    "--measures", metavar="A,B",
    help="The primary one first. Of ndcg, recall, precision, map, mrr, success, all_gold_recall, answer_in_context "
    "and, with --judge, judge, answered and answer_f1, each with its cut-off: ndcg@10,recall@5.",
)  # fmt: skip
SEVERAL_WRITERS = click.option(
    "--writer", "writers", multiple=True, metavar="corpus|recorded:FILE|local|local:PATH|MODEL",
    help="Who writes the texts, as for compare. May be repeated; each is a part of the run. Default: corpus.",
)  # fmt: skip
MODES_OPTION = click.option("--modes", metavar="A,B", help="Several retrieval modes, each measured apart.")
RUN_OPTIONS = (
    click.option(
        "--samples", type=click.IntRange(1, 5), default=3, show_default=True,
        help="Texts of a query where a model writes at a temperature above 0; they are averaged.",
    ),
    click.option("--controls", metavar="A,B", help="Also the original, a list doubled, in hybrid: dense,lexical."),
    click.option("--category", metavar="A,B", help="Only queries of these categories."),
    click.option("--split", metavar="NAME", help="Only queries of this split: tune or test."),
    click.option("--limit", type=click.IntRange(min=1), help="Only the first so many queries."),
)  # fmt: skip
FILE_OPTIONS = (
    click.option("--csv", "csv_file", metavar="FILE", help="Write a line per query, transform, mode and part."),
    click.option("--trec", "trec_file", metavar="FILE", help="Write TREC runs and judgements to this zip."),
    click.option("--report", "report_file", metavar="FILE", help="Write a self-contained HTML page."),
)
THERE_OPTIONS = (
    click.option("--list", "listed", is_flag=True, help="List the runs there are, the page's too, and exit."),
    click.option(
        "--resume", metavar="ID",
        help="Go on with a run that was paused, here or on the page; of one that is finished, print its figures.",
    ),
    click.option(
        "--again", metavar="ID",
        help="Search the texts of a run otherwise, with other --modes, --measures, weights or --judge: no text is "
        "written anew.",
    ),
    click.option(
        "--beside", metavar="ID", help="Print another run beside this one: what both have, on queries both scored.",
    ),
    click.option("--delete", metavar="ID", help="Delete a run that is not under way, and exit."),
)  # fmt: skip
ALWAYS = frozenset({"listed", "resume", "again", "beside", "as_json", "csv_file", "trec_file", "report_file"})
WITH_RESUME = ALWAYS | {"max_calls", "max_usd", "record", "base_url"}
WITH_AGAIN = WITH_RESUME | {"modes", "mode", "measures", "dense_weight", "lexical_weight", *_judge.NAMES}


def evaluating(command: F) -> F:
    """Adds all of them."""
    return with_options(
        *SEVERAL_INDEX_OPTIONS, TRANSFORMS_OPTION, SEVERAL_WRITERS, *WRITER_OPTIONS[1:], RECORD_OPTION, *CAP_OPTIONS,
        *SEARCH_OPTIONS, MODES_OPTION, MEASURES_OPTION, *RUN_OPTIONS, *_query_sets.SET_OPTIONS, *_judge.JUDGE_OPTIONS,
        *FILE_OPTIONS, *THERE_OPTIONS,
    )(command)  # fmt: skip


def given() -> set[str]:
    """The options that stand on this command line, by their names here."""
    context = click.get_current_context()
    return {name for name in context.params if context.get_parameter_source(name) is ParameterSource.COMMANDLINE}


def check(options: Mapping[str, Any]) -> None:
    """:raises BadSetting: for options that do not go together, a base URL that no writer would take (a run that is
    kept has it without its password, and would look well), and where no corpus is named that has to be.
    :raises BadInput: for a run there is not, and a file that cannot be written: both before anything is asked.
    """
    from ir_core.writers import checked_base

    for url in (options["base_url"], options["judge_url"]):
        checked_base(url)
    there = [name for name in ("listed", "resume", "again", "delete") if options[name]]
    if len(there) > 1:
        raise BadSetting("Of --list, --resume, --again and --delete only one can be asked for at a time.")
    if not there and not options["corpus"]:
        raise BadSetting("No corpus is named. Add --corpus NAME, or --list, --resume ID, --again ID or --delete ID.")
    for name in ("resume", "again", "delete", "beside"):
        if options[name]:
            _check_run(name, options[name])
    if options["modes"] and options["mode"]:
        raise BadSetting("--mode and --modes both name retrieval modes. Leave one of them out.")
    _check_options_of(there, options)
    for name in ("csv_file", "trec_file", "report_file", "record"):
        if options[name] is not None:
            check_file(_flag(name), options[name])


def _check_run(option: str, named: str) -> None:
    from ir_core.evaluation import KIND
    from ir_core.jobs import JobStore

    job = JobStore().get(named)
    if job.kind != KIND and option != "delete":
        raise BadInput(f"{_flag(option)} {named} is no evaluation. Choose one of: query-prism evaluate --list.")


def _check_options_of(there: list[str], options: Mapping[str, Any]) -> None:
    if not there:
        return
    plain = {"listed", "delete", "as_json"}
    allowed = WITH_AGAIN if options["again"] else WITH_RESUME if options["resume"] else plain
    if more := sorted(given() - allowed):
        names = ", ".join(_flag(name) for name in more)
        raise BadSetting(f"{names} cannot be changed for a run that is there: leave it out, or begin a new one.")


def _flag(name: str) -> str:
    """As it is typed."""
    params = click.get_current_context().command.params
    return next(one.opts[0] for one in params if one.name == name)
