"""The docs table: what is measured once stays measured, and agreement is judged as promised."""

from __future__ import annotations

from ir_core.evaluation import Column, Evaluation, Row
from scripts._measured import Kept
from scripts._published import PUBLISHED
from scripts._table_text import Section, baselines_table, transforms_table

MEASURES = ("ndcg@10", "recall@5", "recall@10", "all_gold_recall@5")


def column(name: str, *values: float, **more) -> Column:
    rows = tuple(
        Row(f"q{i}", f"text {i}", None, dict.fromkeys(MEASURES, value), title=name.title(), **more)
        for i, value in enumerate(values)
    )
    return Column(name, name.title(), {"n": 3}, rows)


def test_a_stopped_run_measures_only_what_is_missing():
    asked: list[list[str]] = []

    def measure(missing: list[str]) -> list[Column]:
        asked.append(missing)
        return [column(name, 0.25, 0.5, cost_usd=None) for name in missing]

    first = Kept({"index": "a"}).columns("set-dense", ["identity", "rewrite"], measure)
    again = Kept({"index": "a"}).columns("set-dense", ["identity", "rewrite", "hyde"], measure)
    assert asked == [["identity", "rewrite"], ["hyde"]]
    for one, other in zip(first, again, strict=False):
        assert [row.scores for row in one.rows] == [row.scores for row in other.rows]
        assert [row.cost_usd for row in other.rows] == [None, None]
    Kept({"index": "another"}).columns("set-dense", ["identity"], measure)
    Kept({"index": "another"}, fresh=True).columns("set-dense", ["identity"], measure)
    assert asked[2:] == [["identity"], ["identity"]], "another index, and a wish to measure anew"


def test_the_table_has_a_row_per_leg_and_transform_and_marks_evidence():
    columns = (column("identity", *[0.2] * 9), column("worse", *[0.1] * 8, 0.05), column("same", *[0.2] * 9))
    text = transforms_table([Section("s", leg, Evaluation(MEASURES, columns)) for leg in ("dense", "lexical")])
    rows = [line for line in text.splitlines() if line.startswith("|")][2:]
    assert len(rows) == 6
    assert "**-0.106 [" in rows[1]
    assert "0 / 0 / 9" in rows[1]
    assert "**" not in rows[2]


def test_agreement_is_within_the_tolerance_on_every_published_figure():
    ndcg, recall = PUBLISHED["scifact", "dense"]

    def said(own_ndcg: float, own_recall: float) -> str:
        scores = {"ndcg@10": own_ndcg, "recall@10": own_recall}
        rows = (Row("q", "t", None, scores),)
        found = Evaluation(("ndcg@10", "recall@10"), (Column("identity", "Original", {}, rows),))
        return baselines_table([Section("scifact", "dense", found)]).splitlines()[-1]

    assert said(ndcg + 0.004, recall - 0.004).endswith("| yes |")
    assert said(ndcg, recall - 0.007).endswith("| no |")
    assert said(ndcg + 0.007, recall).endswith("| no |")
