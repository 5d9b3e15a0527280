"""``query-prism evaluate``: transforms measured on a corpus' judged queries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ir_core.cli import _judge, _query_sets
from ir_core.cli._answers import Answer, answering
from ir_core.cli._main import examples
from ir_core.cli._opening import open_all
from ir_core.cli._options import (
    CAP_OPTIONS,
    INDEX_OPTIONS_WITH_TRANSFORMS,
    RECORD_OPTION,
    SEARCH_OPTIONS,
    TRANSFORMS_OPTION,
    WRITER_OPTIONS,
    names,
    with_options,
    write_file,
)
from ir_core.cli._progress import Reporter
from ir_core.cli._tables import Cell, dollars, plain, seconds, table

if TYPE_CHECKING:
    from ir_core.evaluation import Column, Evaluation, Evidence
    from ir_core.protocols import Writer


HOW = "significant: paired randomisation test, Holm over the transforms, 5 %; p is the corrected one"


@click.command(
    "evaluate",
    epilog=examples(
        "evaluate --corpus help_center --split test",
        "evaluate --corpus help_center --queries asked.csv --map id=qid,text=question,documents=gold",
        "evaluate --corpus help_center --transforms multi_query --set multi_query.n=5 --measures recall@10",
    ),
)
@with_options(
    *INDEX_OPTIONS_WITH_TRANSFORMS, TRANSFORMS_OPTION, *WRITER_OPTIONS, RECORD_OPTION, *CAP_OPTIONS, *SEARCH_OPTIONS
)
@click.option(
    "--measures",
    metavar="A,B",
    help="The primary one first. Of ndcg, recall, precision, map, mrr, success, all_gold_recall, answer_in_context "
    "and, with --judge, judge, answered and answer_f1, each with its cut-off: ndcg@10,recall@5.",
)
@click.option("--controls", metavar="A,B", help="Also the original with a list doubled, in hybrid: dense,lexical.")
@click.option("--trec", "trec_file", metavar="FILE", help="Write TREC runs and judgements to this zip.")
@click.option("--report", "report_file", metavar="FILE", help="Write a self-contained HTML page.")
@with_options(*_query_sets.SET_OPTIONS, *_judge.JUDGE_OPTIONS)
@click.option("--category", metavar="A,B", help="Only queries of these categories.")
@click.option("--split", metavar="NAME", help="Only queries of this split: tune or test.")
@click.option("--limit", type=click.IntRange(min=1), help="Only the first so many queries.")
@answering
def command(
    transforms: str | None,
    writer: str,
    base_url: str | None,
    price: str | None,
    no_cache: bool,
    record: str | None,
    measures: str | None,
    category: str | None,
    split: str | None,
    limit: int | None,
    controls: str | None,
    trec_file: str | None,
    report_file: str | None,
    query_set: str | None,
    queries_file: str | None,
    qrels_file: str | None,
    mapping: str | None,
    **options: Any,
) -> Answer:
    """Measure the transforms on the corpus' queries and judgements, each against the original.

    The list is as long as the largest cut-off of the measures; --k does not shorten it.
    """
    from ir_core.errors import BadInput, UnknownName
    from ir_core.evaluation import DEFAULT_MEASURES, evaluate, parse
    from ir_core.evaluation.oddities import EMPTY, oddities

    wanted = [parse(name).name for name in names("--measures", measures)] or list(DEFAULT_MEASURES)
    categories = names("--category", category)
    named = {"query_set": query_set, "queries_file": queries_file, "qrels_file": qrels_file, "mapping": mapping}
    _query_sets.check(named)
    judging = _judge.taken_judge(options)
    opened = open_all(
        options, query=None, transforms=transforms, writer=writer, base_url=base_url, price=price, no_cache=no_cache,
        record=record, asked=lambda corpus: _query_sets.chosen(corpus, named).queries,
    )  # fmt: skip
    judged = _query_sets.chosen(opened.prepared.corpus, named)
    queries, qrels = judged.queries, judged.qrels
    known = {query.category for query in queries if query.category}
    for name in categories:
        if name not in known:
            raise UnknownName("category of queries", name, known)
    splits = {query.split for query in queries if query.split}
    if split is not None and split not in splits:
        raise UnknownName("split of the queries", split, splits)
    chosen = [
        query
        for query in queries
        if (not categories or query.category in categories) and split in (None, query.split)
    ][:limit]
    notes = oddities(chosen, qrels, set(opened.engine.index.artifact_ids), whole=queries)
    if not queries:
        raise BadInput(EMPTY)
    if not chosen:
        raise BadInput(f"{opened.prepared.name!r} has no such queries to measure with; it has {len(queries)} in all.")
    report = Reporter()
    try:
        found = evaluate(
            opened.engine,
            chosen,
            qrels,
            transforms=opened.choices,
            writer=opened.writer,
            settings=opened.settings,
            measures=wanted,
            on_progress=report,
            use_cache=opened.use_cache,
            controls=names("--controls", controls),  # type: ignore[arg-type]
            judge=_judge.open_judge(judging, opened),
        )
    finally:
        report.close()
    mode = opened.settings.mode
    if trec_file:
        from ir_core.export.trec_zip import to_trec_zip

        write_file("--trec", trec_file, to_trec_zip({mode: found}, qrels))
    if report_file:
        from ir_core.export.report import to_report

        facts = [f"corpus {opened.corpus}, index {opened.engine.index.manifest.fingerprint}", f"writer {writer}"]
        page = to_report(opened.prepared.corpus.info.title, facts, {mode: found}, {})
        write_file("--report", report_file, page.encode("utf-8", "replace"))
    selected = {"category": categories or None, "split": split, "limit": limit, "measures": wanted, **judged.config}
    config = {**opened.config(), **found.config, "queries": selected, "judge": _judge.judge_config(judging)}
    told = {"notes": notes, "replies": _replies(found), "config": config, "startup_s": opened.startup_s}
    return Answer(
        {**found.to_json(), **told}, "\n".join([_text(found, opened.writer), *map("note: {}".format, notes)])
    )


def _text(found: Evaluation, writer: Writer) -> str:
    """A replay is named, with what its figures are: nothing was written now."""
    from ir_core.evaluation.judge_words import told, unmeasured_words
    from ir_core.evaluation.oddities import ALL_TIES, all_tie
    from ir_core.evaluation.shown import shown
    from ir_core.writers.recorded import RecordedWriter

    first, *others = found.measures
    rows: list[list[Cell]] = []
    sums = [found.summary(column, compared=[first]) for column in found.columns]
    for column, proof, total in zip(found.columns, found.evidence(), sums, strict=True):
        difference = total.difference[first]
        rows.append(
            [
                column.titles[0] if column.titles else column.label,
                total.n,
                shown(first, total.means[first]),
                _difference(proof, first) if proof else "",
                "" if column is found.columns[0] else f"{difference.wins}/{difference.ties}/{difference.losses}",
                *(shown(name, total.means[name]) for name in others),
                "" if total.fallback_rate is None else f"{total.fallback_rate:.0%}",
                "" if total.latency_s is None else seconds(total.latency_s),
                dollars(total.cost_usd),
            ]
        )
    figures = ["won/tied/lost", *others, "fell back", "time", "cost"]
    head = ["transform", "n", first, "to the original [interval]", *figures]
    lines = [table(head, rows), HOW]
    if all_tie(sums, first):
        lines.append(ALL_TIES)
    lines += [unmeasured_words(name, count) for name, count in sums[0].unmeasured.items()]
    lines += [plain(said) for said in told(found.judging)] if found.judging else []
    if isinstance(writer, RecordedWriter):
        lines.append(f"{plain(writer.label)}; costs are of then, times only of what needs no writer")
    elif (replies := _replies(found))["kept"]:
        lines.append(
            f"{replies['kept']} of {replies['calls']} calls were replies kept from before: cost now "
            f"{dollars(replies['cost_now_usd'])}, the first time {dollars(replies['cost_first_usd'])}"
        )
    lines += [line for column in found.columns for line in _skipped(column)]
    lines += [f"not measured: {item.query_id}: {plain(item.reason)}" for item in found.excluded]
    if found.missing_gold:
        lines.append(f"judged, but not in the index: {', '.join(plain(name) for name in found.missing_gold[:20])}")
    return "\n".join(lines)


def _replies(found: Evaluation) -> dict[str, Any]:
    """All columns' calls, those with a reply kept from before, and the cost now and at first; None is unknown."""
    from ir_core.evaluation.means import total

    rows = [row for column in found.columns for row in column.rows]
    return {
        "calls": sum(row.calls for row in rows),
        "kept": sum(row.kept for row in rows),
        "cost_now_usd": total([row.cost_now_usd for row in rows]),
        "cost_first_usd": total([row.cost_usd for row in rows]),
    }


def _skipped(column: Column) -> list[str]:
    reasons = [row.skip_reason for row in column.rows if row.skip_reason]
    if not reasons:
        return []
    return [f"{column.label}: not measured on {len(reasons)} of {len(column.rows)}: {plain(reasons[0])}"]


def _difference(proof: Evidence, measure: str) -> str:
    from ir_core.evaluation.evidence import WORDS
    from ir_core.evaluation.shown import shown_difference

    mean, low, high = (shown_difference(measure, value) for value in (proof.mean, proof.low, proof.high))
    if proof.low is None or proof.p_holm is None:
        return mean

    said = f"{100 * proof.level:.3g} %, {WORDS[proof.verdict]}, p {proof.p_holm:.2g}"
    return f"{mean} [{low}, {high}] {said}"
