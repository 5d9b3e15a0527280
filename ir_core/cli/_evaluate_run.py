"""A run worked on from the command line: progress on standard error; Ctrl-C and SIGTERM pause it, and what is done is
kept."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from ir_core.cli._main import INTERRUPTED
from ir_core.cli._progress import Reporter
from ir_core.cli._tables import plain
from ir_core.errors import QueryPrismError, WriterError

if TYPE_CHECKING:
    from ir_core.evaluation import Plan
    from ir_core.evaluation.job import Parts
    from ir_core.jobs import Job, JobState, Runner

LOOK_S = 0.2
END_S = 120.0
"""Waited after a signal for the requests under way; a second one gives up on them."""
SIGNALS = (signal.SIGINT, signal.SIGTERM)


def page_of(job: Job) -> str:
    """Where the page opens it, on whatever address the app is served."""
    return f"/evaluate?job={job.id}"


def carry_out(job: Job, options: Mapping[str, Any]) -> JobState:
    """To its end, its cap or its failure.

    :raises click.exceptions.Exit: once it was paused by Ctrl-C or SIGTERM.
    :raises QueryPrismError: where it failed; what was done is kept, and the sentence says how to go on.
    """
    from ir_core.evaluation import work_of
    from ir_core.jobs import Runner
    from ir_core.writers.llm import is_loading

    runner, report = Runner(nothing_sent=is_loading), Reporter()
    with _first_signal() as stopped:
        runner.start(job, work_of(opening(job, options)))
        click.echo(f"run {job.id}; the page opens it at {page_of(job)}", err=True)
        try:
            while (now := job.state()).is_active and not stopped.is_set():
                _tell(report, now)
                stopped.wait(LOOK_S)
        finally:
            report.close()
    if stopped.is_set():
        _pause(runner, job)
        click.echo(f"Paused. Go on with: query-prism evaluate --resume {job.id}", err=True)
        raise click.exceptions.Exit(INTERRUPTED)
    runner.wait(job, END_S)
    state = job.state()
    again = f"What was done is kept; go on with: query-prism evaluate --resume {job.id}"
    if state.status == "failed":
        raise QueryPrismError(f"{state.sentence} {again}")
    if state.why == "writer":
        raise WriterError(f"{state.sentence} {again}")
    if state.why == "cap":
        click.echo(plain(f"Paused: {state.sentence} {again} --max-calls N (or --max-usd)"), err=True)
    return state


def _pause(runner: Runner, job: Job) -> None:
    """Waits until what is under way has come to its end.

    :raises KeyboardInterrupt: for another Ctrl-C.
    """
    runner.pause(job)
    click.echo("Pausing after the requests under way; Ctrl-C again does not wait for them.", err=True)
    try:
        runner.close(END_S)
    except KeyboardInterrupt:
        runner.close(0.0)
        raise


@contextmanager
def _first_signal() -> Iterator[threading.Event]:
    """Set by the first Ctrl-C or SIGTERM, which then raises nothing: an exception in the middle of a callback is
    lost. The second one ends the process as always."""
    stopped = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stopped
        return

    def note(*_: object) -> None:
        restore()
        stopped.set()

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    before = {number: signal.signal(number, note) for number in SIGNALS}
    try:
        yield stopped
    finally:
        restore()


def opening(job: Job, options: Mapping[str, Any]) -> Callable[[Plan], Parts]:
    """What a run opens its parts with: keys come from the environment, whatever had been typed for it on a page."""
    from ir_core.evaluation import Plan, open_index_of, open_writer_of
    from ir_core.evaluation.job import queries_of
    from ir_core.secrets import host_of
    from ir_core.writers.recorded import RecordingWriter

    typed, record = options["base_url"], options["record"]
    authors = [part.writer for part in Plan.from_json(job.spec).parts()]

    def opened(plan: Plan) -> Parts:
        engine, own = open_index_of(plan), replace(plan.writer, needs_key=False)
        address = typed if typed and host_of(typed) == host_of(own.base_url) else None
        writer = open_writer_of(replace(plan, writer=own), engine, base_url=address, queries=lambda: queries_of(job))
        if record is not None and plan.writer in authors:  # what a judge says is no text
            writer = RecordingWriter(writer, record)
        return engine, writer

    return opened


def _tell(report: Reporter, state: JobState) -> None:
    from ir_core.protocols import Progress

    if not state.total:
        return
    lists = state.details.get("lists", 0)
    if lists:
        report(Progress("lists judged", state.details["judged"], lists, state.seconds_left))
        return
    total = state.details.get("queries", state.total)
    report(Progress("queries", min(state.done, total), total, state.seconds_left))
