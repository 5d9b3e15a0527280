"""An evaluation cut by category, by outcome and by cost; its figures, and what leaves it as files."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace

import ir_measures
import pytest
from ir_measures import RR, P, R, nDCG

from ir_core.charts.gains import gains_figure
from ir_core.charts.quality import quality_figure
from ir_core.evaluation import Column, Evaluation, Row
from ir_core.evaluation.means import percentile
from ir_core.evaluation.measures import parse, score
from ir_core.evaluation.rows import scored
from ir_core.evaluation.slices import AVERAGE, by_category, front, outcomes
from ir_core.export.report import to_report
from ir_core.export.trec_zip import to_trec_zip
from tests.test_charts import PALETTE

QRELS = {"q 1": {"a": 1, "b": 2}, "q2": {"c": 1}, "q3": {"a": 1, "d": -1}, "q4": {"e": 1}}
NAMES = ("ndcg@3", "recall@3", "precision@3", "mrr@3", "answer_in_context@3")


def rows(lists, ranks=(1, None, 0, 2), **options):
    kinds = ("simple", "hard", "simple", None)
    made = [
        Row(name, f"<b>{name}</b>", kind, None, retrieved=tuple(found), answer_rank=rank, **options)
        for name, kind, found, rank in zip(QRELS, kinds, lists, ranks, strict=True)
    ]
    return tuple(scored(made, [parse(name) for name in NAMES], QRELS))


@pytest.fixture
def found():
    original = rows(["xab", "yz", "ad", ""])
    other = rows(["bax", "cyz", "da", ""], title="<img src=x>", cost_usd=None)
    skipped = (*other[:3], replace(other[3], scores=None, skip_reason="small talk"))
    columns = (Column("identity", "Original", {}, original), Column("hyde", "HyDE", {}, skipped))
    return Evaluation(NAMES, columns)


def test_slices_are_the_means_of_their_queries_and_average_is_first(found):
    average, simple, hard, none = by_category(found, "mrr@3")
    assert [one.name for one in (average, simple, hard, none)] == [AVERAGE, "simple", "hard", "no category"]
    assert average.means == pytest.approx(((1 / 2 + 0 + 1 + 0) / 4, (1 + 1 + 1 / 2) / 3))
    assert simple.gains == pytest.approx((0.0, ((1 - 1 / 2) + (1 / 2 - 1)) / 2))
    assert hard.gains[1] == 1.0
    assert none.gains[1] is None, "it was skipped"


def test_outcomes_are_what_the_leaderboard_counts(found):
    words = [one.outcome for one in outcomes(found, 1, "mrr@3")]
    assert words == ["improved", "improved", "worse"]
    difference = found.summary(found.columns[1]).difference["mrr@3"]
    assert (difference.wins, difference.ties, difference.losses) == (2, 0, 1)


def test_a_query_without_an_answer_is_left_out_and_counted(found):
    total = found.summary(found.columns[0])
    assert total.unmeasured == {"answer_in_context@3": 1}
    assert total.means["answer_in_context@3"] == pytest.approx(2 / 3)
    assert total.difference["answer_in_context@3"].n == 3
    assert total.unjudged == pytest.approx((1 / 3 + 1 + 0) / 3), "of the lists that are not empty"


def test_percentiles_are_between_ranks():
    assert percentile([4.0, 1.0, 3.0, 2.0], 50) == 2.5
    assert percentile([], 95) is None


def test_the_front_has_nobody_who_is_beaten():
    points = [(0.0, 0.5), (1.0, 0.5), (2.0, 0.9), (2.0, 0.8), (None, 1.0), (3.0, None), (4.0, 0.95)]
    assert front(points) == [0, 2, 6]
    assert front([]) == []


def test_an_unknown_cost_is_not_drawn_and_a_beaten_dot_is_hollow():
    points = [("Original", 0.0, 0.5), ("<b>x</b>", None, 0.9), ("Dear", 2.0, 0.4)]
    line, dots = quality_figure(points, [0], "US dollars", "nDCG@10", PALETTE).data
    assert list(dots.x) == [0.0, 2.0]
    assert list(dots.marker.symbol) == ["circle", "circle-open"]
    assert list(line.y) == [0.5]
    assert quality_figure([], [], "x", "y", PALETTE).layout.height > 0


def test_the_heat_map_is_symmetric_about_no_gain():
    figure = gains_figure(["1. A", "2. <b>"], ["Average", "hard"], [[0, 0], [-0.2, None]], [[0.5, 0.4], [0.3, None]], PALETTE)  # fmt: skip  # noqa: E501
    (cells,) = figure.data
    assert (cells.zmin, cells.zmax) == (-0.2, 0.2)
    assert [list(row) for row in cells.text] == [[".50", ".40"], [".30", ""]]
    assert figure.layout.yaxis.ticktext[1] == "2. &lt;b&gt;"


def test_trec_runs_read_again_give_the_same_figures(found, tmp_path):
    with zipfile.ZipFile(io.BytesIO(to_trec_zip({"hybrid": found}, QRELS))) as archive:
        archive.extractall(tmp_path)
        assert archive.namelist() == ["qrels.txt", "runs/hybrid/1-identity.run", "runs/hybrid/2-hyde.run"]
    qrels = list(ir_measures.read_trec_qrels(str(tmp_path / "qrels.txt")))
    theirs = {"ndcg@3": nDCG @ 3, "recall@3": R @ 3, "precision@3": P @ 3, "mrr@3": RR @ 3}
    run = list(ir_measures.read_trec_run(str(tmp_path / "runs/hybrid/1-identity.run")))
    ours = found.summary(found.columns[0]).means
    aggregated = ir_measures.calc_aggregate(list(theirs.values()), qrels, run)
    for name, measure in theirs.items():
        assert aggregated[measure] == pytest.approx(ours[name], abs=1e-9)
    lists = {row.query_id: row.retrieved for row in found.columns[0].rows}
    assert score([parse("ndcg@3")], QRELS, lists)["q 1"]["ndcg@3"] == found.columns[0].rows[0].scores["ndcg@3"]


def test_the_report_has_the_figures_and_no_markup_from_outside(found):
    page = to_report("<script>a()</script>", ["made <i>now</i>"], {"hybrid": found}, {"ndcg": "a & b"})
    assert "<script" not in page
    assert "<img" not in page
    assert "default-src 'none'" in page
    assert "2 / 0 / 1" in page
    assert f"{found.summary(found.columns[1]).means['recall@3']:.3f}" in page
    assert "a &amp; b" in page
    empty = Evaluation(("ndcg@3",), (Column("identity", "Original", {}, ()),))
    assert "No query is through" in to_report("t", [], {"dense": empty}, {})
