"""The group of commands, and what becomes of an error."""

from __future__ import annotations

import importlib
import io
import logging
import os
import pkgutil
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

import click

from ir_core import ending
from ir_core.cli._tables import plain
from ir_core.config import version
from ir_core.errors import QueryPrismError, UnknownName
from ir_core.secrets import log_failure, redacted

NAME = "query-prism"
log = logging.getLogger("query_prism")
BAD_INPUT, UNEXPECTED, NOT_PASSED, PAUSED, INTERRUPTED = 2, 1, 3, 4, 130


def examples(*lines: str) -> str:
    """What stands below a command's help: whole command lines to copy."""
    return "\b\nExamples:\n" + "\n".join(f"  {NAME} {line}" for line in lines)


class Commands(click.Group):
    """Every public module of this package is a command; it is imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        found = pkgutil.iter_modules([str(Path(__file__).parent)])
        return sorted(info.name for info in found if not info.name.startswith("_"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = importlib.import_module(f"ir_core.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.list_commands(ctx):
            raise UnknownName("command", args[0], self.list_commands(ctx))
        return super().resolve_command(ctx, args)


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        click.echo(f"{NAME} {version()}")
        ctx.exit()


@click.group(
    NAME,
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=examples("compare 'who is logged in as me' --corpus help_center", "search --help"),
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Print it and exit."
)
@click.option("--debug", is_flag=True, help="On an unexpected error, print the whole trace.")
@click.pass_context
def group(ctx: click.Context, debug: bool) -> None:
    """See what query transformations do to a query: what they make of it, what that finds, what it costs."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line (without the program's name); gives the exit code. Without one it is this process's own,
    which is over after it (:mod:`ir_core.ending`).

    0 done; 2 for bad input, with one line that says what to do; 1 for anything unexpected; 3 when a gate was
    not passed; 4 when a run waits for a higher cap; 130 when interrupted, also when that, or SIGTERM, paused a run.
    """
    if argv is not None:
        return _run(list(argv))
    ended = ending.begin()
    ended.status = _run(sys.argv[1:])
    return ended.status


def _run(arguments: list[str]) -> int:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        return group.main(arguments, prog_name=NAME, standalone_mode=False) or 0
    except QueryPrismError as error:
        return _say(str(error), BAD_INPUT)
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else NAME
        return _say(f"{error.format_message()} Try: {where} --help", BAD_INPUT)
    except click.ClickException as error:
        return _say(error.format_message(), BAD_INPUT)
    except (KeyboardInterrupt, click.Abort):
        return _say("Interrupted.", INTERRUPTED)
    except BrokenPipeError:
        # Whoever read the output has gone; without this the interpreter complains once more when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNEXPECTED
    except Exception as error:
        if "--debug" in arguments:
            click.echo(redacted(traceback.format_exc()), err=True)
        said = "The command failed in a way that was not expected"
        if log.hasHandlers():
            sentence = f"{said} (reference {log_failure(log, said, error)}; the log has the rest)."
        else:  # without a log, logging would print the whole trace here
            sentence = f"{said} ({type(error).__name__})."
        return _say(f"{sentence} Run {NAME} --debug … for the whole trace.", UNEXPECTED)


def _say(message: str, code: int) -> int:
    click.echo(plain(f"error: {message}"), err=True)
    return code
