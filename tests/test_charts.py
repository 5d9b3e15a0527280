"""Figures are read as data: what a person would see is in the traces."""

from __future__ import annotations

import pytest

from ir_core.charts import Palette, cost_figure, latency_figure, latency_rows, rank_flow_figure, rank_lines
from ir_core.charts.rank_flow import LEAVES
from ir_core.schema import Trace
from tests.made_results import result

PALETTE = Palette(tuple(f"#00000{i}" for i in range(1, 9)), ("#111111", "#222222", "#333333"), "#444", "#555", "#666")
ORIGINAL = result(["a", "b", "c"])
OTHER = result(["b", "d", "a"], transform="hyde", title="HyDE")


def test_rank_lines_keep_the_originals_order_and_leave_gaps():
    lines = rank_lines([ORIGINAL, OTHER], 3, expected="d")
    assert [(line.artifact_id, line.ranks) for line in lines] == [
        ("a", (1, 3)),
        ("b", (2, 1)),
        ("c", (3, None)),
        ("d", (None, 2)),
    ]
    assert [line.expected for line in lines] == [False, False, False, True]


def test_rank_flow_draws_every_document_and_says_what_it_is_by_shape():
    figure = rank_flow_figure([ORIGINAL, OTHER], 3, PALETTE, expected="d")
    marks = [trace for trace in figure.data if trace.mode == "markers+text"]
    assert {trace.name: trace.marker.symbol for trace in marks} == {
        "a": "circle", "b": "circle", "c": "circle", "d": "star"
    }  # fmt: skip
    crosses = {trace.name: (trace.x, trace.y) for trace in figure.data if trace.mode == "lines+markers" and trace.x}
    assert crosses == {"c": ((0, LEAVES, None), (3, 3 + LEAVES, None))}, "c leaves after the first column"
    assert [note.text for note in figure.layout.annotations] == ["d"], "what is new is named at its first place"
    lines = {trace.name: trace for trace in figure.data if trace.mode == "lines"}
    assert set(lines) == {"a", "b"}, "d and c are in one column only"
    assert marks[0].marker.color == (PALETTE.slots[0], PALETTE.slots[1]), "a colour belongs to the column"
    new = rank_flow_figure([ORIGINAL, OTHER], 3, PALETTE)
    assert {trace.name: trace.marker.symbol for trace in new.data if trace.mode == "markers+text"}["d"] == "diamond"


def test_lines_that_move_are_stronger_and_those_looked_for_thicker():
    same = result(["a", "c", "b"], transform="rewrite", title="Rewrite")
    figure = rank_flow_figure([ORIGINAL, same], 3, PALETTE, relevant={"c"}, names=["Original", "Rewrite"])
    lines = {trace.name: trace for trace in figure.data if trace.mode == "lines"}
    assert lines["a"].opacity < lines["b"].opacity
    assert lines["a"].line.width < lines["b"].line.width < lines["c"].line.width
    assert list(figure.layout.xaxis.ticktext) == ["1. Original", "2. Rewrite"]


@pytest.mark.parametrize("results", [[], [result([])], [ORIGINAL]], ids=["none", "no hits", "one column"])
def test_degenerate_comparisons_still_give_figures(results):
    assert rank_flow_figure(results, 3, PALETTE).layout.height > 0
    assert latency_figure(results, PALETTE).layout.height > 0


def test_latency_stacks_the_stages_in_milliseconds_and_leaves_waiting_out():
    trace = Trace(writer_s=0.5, encode_s=0.02, search_s=0.004, fuse_s=0.001, rerank_s=0.005, queued_s=9.0)
    one = result(["a"], trace=trace)
    figure = latency_figure([one], PALETTE)
    bars = [trace for trace in figure.data if trace.type == "bar"]
    assert [bar.x[0] for bar in bars] == pytest.approx([500, 20, 10])
    assert len({bar.marker.pattern.shape for bar in bars}) == 3, "a second channel beside colour"
    row = latency_rows([one])[0]
    assert row["total ms"] == 530 == row["writing ms"] + row["encoding ms"] + row["searching ms"]
    assert row["queued ms"] == 9000


def test_an_unknown_cost_is_written_so_and_never_drawn_as_a_number():
    figure = cost_figure([("Original", 0.0), ("HyDE", None), ("Rewrite", 0.0004)], PALETTE)
    text = figure.data[1].text
    assert text[1].strip() == "unknown"
    assert "0.000400" in text[2]
    assert "unknown" not in text[0]


def test_markup_in_titles_is_text_in_the_figure():
    hostile = '<b>x</b><a href="http://h">$y$</a> & %{x}'
    one = result(["a"], titles={"a": hostile}, title=hostile)
    for figure in (rank_flow_figure([one], 3, PALETTE), latency_figure([one], PALETTE)):
        written = figure.to_json()
        assert "<b>x" not in written
        assert "<a href" not in written
        assert "\\u003cb\\u003ex" not in written, "plotly writes < so in JSON"
    shown = [trace for trace in rank_flow_figure([one], 3, PALETTE).data if trace.hovertemplate]
    assert all("%{x}" not in trace.hovertemplate for trace in shown), "a title is data, not part of the template"
