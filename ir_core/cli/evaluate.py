"""``query-prism evaluate``: transforms measured on a corpus' judged queries, as a run that outlives the command."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from ir_core.cli import _evaluate_options, _judge
from ir_core.cli._answers import Answer, answering
from ir_core.cli._main import PAUSED, examples
from ir_core.cli._options import names, write_file
from ir_core.errors import BadInput

if TYPE_CHECKING:
    from ir_core.cli._tables import Cell
    from ir_core.evaluation import Evaluation
    from ir_core.evaluation.overview import Read
    from ir_core.jobs import Job


@click.command(
    "evaluate",
    epilog=examples(
        "evaluate --corpus help_center --split test",
        "evaluate --corpus help_center --queries asked.csv --map id=qid,text=question,documents=gold",
        "evaluate --corpus help_center --transforms multi_query --set multi_query.n=5 --measures recall@10",
        "evaluate --corpus help_center --strategy WholeText --strategy Chunked:chunk_size=400 --modes dense,hybrid",
        "evaluate --resume 20260101-120000-0123456789abcdef --max-calls 500",
    ),
)
@_evaluate_options.evaluating
@answering
def command(**options: Any) -> Answer:
    """Measure the transforms on the corpus' queries and judgements, each against the original.

    The run is kept: Ctrl-C pauses it, --resume goes on with it, and the page opens it under the id that is printed.
    Several strategies, writers and modes are one run, each combination measured apart. The list is as long as the
    largest cut-off of the measures; --k does not shorten it.
    """
    _evaluate_options.check(options)
    if options["listed"]:
        return _list()
    if options["delete"]:
        return _delete(options["delete"])
    job, begun = _job(options)
    try:
        return _answer(job, options, begun)
    except BadInput as error:
        if options["resume"]:
            raise
        raise BadInput(f"{error} The run is kept; print it with: query-prism evaluate --resume {job.id}") from None


def _job(options: dict[str, Any]) -> tuple[Job, float | None]:
    """The run, as far as it goes; and after how many seconds it could begin."""
    from ir_core.cli._evaluate_plan import begin
    from ir_core.cli._evaluate_run import carry_out
    from ir_core.cli._opening import STARTED
    from ir_core.evaluation import with_cap
    from ir_core.jobs import JobStore

    if named := options["resume"] or options["again"]:
        job = JobStore().get(named)
    if options["again"]:
        job = _again(job, options)
    elif not options["resume"]:
        job = begin(options)
    elif options["max_calls"] is not None or options["max_usd"] is not None:
        plan = job.spec
        caps = [options[name] if options[name] is not None else plan[name] for name in ("max_calls", "max_usd")]
        job = with_cap(job, *caps)
    begun = time.perf_counter() - STARTED
    if job.state().status not in {"finished", "cancelled"}:
        carry_out(job, options)
    return job, begun


def _again(job: Job, options: dict[str, Any]) -> Job:
    """Another search of its texts, with no call to anybody unless a judge is named."""
    from ir_core.cli._evaluate_plan import modes_of
    from ir_core.cli._evaluate_writers import judge_plan
    from ir_core.evaluation import Plan, again
    from ir_core.jobs import JobStore

    before, judging = Plan.from_json(job.spec), _judge.taken_judge(options)
    given = _evaluate_options.given()
    changed: dict[str, Any] = {
        name: options[name] for name in ("dense_weight", "lexical_weight", "max_calls", "max_usd") if name in given
    }
    judge = judge_plan(judging, before, options)
    plan = before.searched_again(judge, modes_of(options) or before.modes)
    measures = tuple(names("--measures", options["measures"]))
    return again(job, replace(plan, measures=measures or plan.measures, **changed), store=JobStore())


def _answer(job: Job, options: dict[str, Any], begun: float | None) -> Answer:
    """The figures, in the files that were asked for, too."""
    from ir_core.cli._evaluate_json import command_of, json_of
    from ir_core.cli._evaluate_text import text_of
    from ir_core.evaluation import Plan, cut_off_said
    from ir_core.evaluation.overview import overview
    from ir_core.export import run_files

    plan, found = Plan.from_json(job.spec), run_files.found_in(job)
    lines = overview(plan, {place: _read(one) for place, one in found.items() if one.n}) if len(found) > 1 else []
    if options["csv_file"]:
        write_file("--csv", options["csv_file"], run_files.run_csv(job))
    if options["trec_file"]:
        write_file("--trec", options["trec_file"], run_files.run_trec(job))
    if options["report_file"]:
        write_file("--report", options["report_file"], run_files.run_html(job))
    notes = command_of(job).get("notes", [])
    data = {**json_of(job, plan, found, lines), "startup_s": begun}
    told = [*notes, *filter(None, [cut_off_said(job)])]
    said = [text_of(job, plan, found, lines), *map("note: {}".format, told)]
    if options["beside"]:
        from ir_core.cli._evaluate_beside import beside_of

        data["beside"], table = beside_of(plan, found, options["beside"])
        said += ["", table]
    return Answer(data, "\n".join(said), PAUSED if job.state().status == "paused" else 0)


def _delete(named: str) -> Answer:
    from ir_core.jobs import JobStore

    job = JobStore().get(named)
    JobStore().delete(job)
    return Answer({"deleted": job.id}, f"The run {job.id} is deleted.")


def _read(found: Evaluation) -> Read:
    first = found.measures[:1]
    return found, [found.summary(column, compared=first) for column in found.columns], found.evidence()


def _list() -> Answer:
    """The runs there are, the newest first."""
    from ir_core.cli._evaluate_run import page_of
    from ir_core.cli._tables import table
    from ir_core.evaluation import KIND, Plan
    from ir_core.jobs import JobStore

    data: list[dict[str, Any]] = []
    rows: list[list[Cell]] = []
    for job in JobStore().jobs(KIND):
        state = job.state()
        try:
            plan = Plan.from_json(job.spec)
            parts, primary = [part.part_name for part in plan.parts()], plan.measures[0]
        except BadInput as error:  # of a release that knew other transforms
            parts, primary = [], str(error)
        total = state.details.get("queries", state.total)
        done = min(state.done, total)
        data.append({
            "job": job.id, "page": page_of(job), "title": job.title, "created": job.created, "state": state.to_json(),
            "parts": parts, "primary_measure": primary,
        })  # fmt: skip
        status = f"{state.status} ({state.why})" if state.why else state.status
        rows.append([job.id, job.created[:16], status, f"{done}/{total}", primary, len(parts), job.title])
    head = ["run", "created", "state", "queries", "measure", "parts", "title"]
    return Answer({"runs": data}, table(head, rows) if rows else "No run yet.")
