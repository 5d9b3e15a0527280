"""``query-prism gate``: is a transform worth shipping on this corpus? Exit code 0 only when every condition holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ir_core.cli import _judge, _query_sets
from ir_core.cli._answers import Answer, answering
from ir_core.cli._main import NOT_PASSED, examples
from ir_core.cli._opening import open_all
from ir_core.cli._options import (
    CAP_OPTIONS,
    INDEX_OPTIONS,
    RECORD_OPTION,
    SEARCH_OPTIONS,
    WRITER_OPTIONS,
    with_options,
)
from ir_core.cli._progress import Reporter
from ir_core.cli._tables import Cell, dollars, plain, seconds, signed, table
from ir_core.errors import WriterFails

if TYPE_CHECKING:
    from ir_core.evaluation import Evidence
    from ir_core.evaluation.gate_result import Gate, Trial


@click.command(
    "gate", epilog=examples("gate --corpus help_center", "gate --corpus help_center --writer local --json")
)
@with_options(
    *INDEX_OPTIONS, *_query_sets.SET_OPTIONS, *WRITER_OPTIONS, RECORD_OPTION, *CAP_OPTIONS, *SEARCH_OPTIONS,
    *_judge.JUDGE_OPTIONS,
)  # fmt: skip
@answering
def command(
    writer: str, base_url: str | None, price: str | None, no_cache: bool, record: str | None, **options: Any
) -> Answer:
    """Run none, hyde, multi_query and decompose over the corpus' boss set and its regression sets.

    Passes when all four give valid results, one gains 10 points of recall@5 (or 15 of judge score) on the boss set
    and falls on no other, and latency and cost of each are known; else it says what failed, and exits with 3.
    """
    from ir_core.evaluation.gate import gate
    from ir_core.evaluation.gate_result import TRANSFORMS

    named = {name: options.pop(name) for name in ("query_set", "queries_file", "qrels_file", "mapping")}
    _query_sets.check(named)
    judging = _judge.taken_judge(options)
    opened = open_all(
        options, query=None, transforms=",".join(TRANSFORMS.values()), writer=writer, base_url=base_url, price=price,
        no_cache=no_cache, record=record, asked=lambda corpus: _query_sets.chosen(corpus, named).queries,
    )  # fmt: skip
    judged, report = _query_sets.chosen(opened.prepared.corpus, named), Reporter()
    try:
        found = gate(
            opened.engine, judged.queries, judged.qrels, writer=opened.writer, settings=opened.settings,
            judge=_judge.open_judge(judging, opened), on_progress=report,
        )  # fmt: skip
    except WriterFails as error:  # no figure is filled with fallbacks: four valid results are what does not hold
        failed = {"passed": False, "reasons": [str(error)], "transforms": [], "sets": []}
        return Answer(failed, f"NOT PASSED\n  {plain(str(error))}", NOT_PASSED)
    finally:
        report.close()
    return Answer(
        {
            **found.to_json(),
            "config": {**opened.config(), "queries": judged.config, "judge": _judge.judge_config(judging)},
        },
        text(found),
        0 if found.passed else NOT_PASSED,
    )


def text(found: Gate) -> str:
    from ir_core.evaluation.judge_words import told

    boss = found.sets[0]
    rows: list[list[Cell]] = []
    for one in found.transforms:
        proof = one.evidence
        gain = _gain(proof)
        chance = "" if proof is None or proof.p is None else f"{proof.p:.3f} ({proof.p_holm:.3f})"
        rows.append([
            one.transform, one.title, one.recall, gain, chance, _judged(one), seconds(one.latency_s),
            dollars(one.cost_usd), "unknown" if one.fallback_rate is None else f"{one.fallback_rate:.0%}",
        ])  # fmt: skip
    level = next((f"{100 * one.level:.3g} %" for one in boss.evidence if one), "")
    head = [
        "transform",
        "made",
        "recall@5",
        f"gain [{level}]",
        "by chance (Holm)",
        "judge",
        "time",
        "cost",
        "fallback",
    ]
    lines = [f"boss set: {boss.n} questions in {boss.n_groups} groups", table(head, rows), ""]
    if len(found.sets) > 1:
        lines += [_sets(found), ""]
    if categories := list(found.routed):
        gains: list[list[Cell]] = [
            [name, *(signed(one.by_category[name]) for one in found.transforms[1:]), found.routed[name]]
            for name in categories
        ]
        lines += [table(["gain by category", *(one.transform for one in found.transforms[1:]), "best"], gains)]
        best = "unknown" if found.routed_recall is None else f"{found.routed_recall:.3f}"
        lines += [f"routed to the best of each category, chosen on these questions: recall@5 {best}", ""]
    lines += [
        "by chance: the probability of a difference this large with no true effect (paired randomisation test)",
        *(map(plain, told(found.judging)) if found.judging else ()),
        *(f"note: {plain(note)}" for note in found.notes),
        "PASSED" if found.passed else "NOT PASSED",
        *(f"  {plain(reason)}" for reason in found.reasons),
    ]
    return "\n".join(lines)


def _gain(proof: Evidence | None) -> str:
    return "baseline" if proof is None else f"{signed(proof.mean)} [{signed(proof.low)}, {signed(proof.high)}]"


def _judged(one: Trial) -> str:
    """The judge's score, and what it gains over none with its 95 % interval."""
    if one.judge_score is None or one.judge_gain is None:
        return "not measured"
    gain = one.judge_gain
    if gain.mean is None or gain.low is None or one.transform == "none":
        return f"{one.judge_score:.1f}"
    return f"{one.judge_score:.1f} ({gain.mean:+.1f} [{gain.low:+.1f}, {gain.high:+.1f}])"


def _sets(found: Gate) -> str:
    rows: list[list[Cell]] = []
    for one in found.sets[1:]:
        for trial, mean, proof in zip(found.transforms, one.means, one.evidence, strict=True):
            gain = (
                "baseline" if proof is None else f"{signed(proof.mean)} [{signed(proof.low)}, {signed(proof.high)}]"
            )
            said = "falls" if one.name in trial.falls else ""
            said = "untested" if proof is not None and proof.high is None else said
            rows.append([one.name, one.n, trial.transform, mean, gain, said])
    return table(["regression set", "n", "transform", "recall@5", "difference", ""], rows)
