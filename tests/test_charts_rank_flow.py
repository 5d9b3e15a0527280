"""The lane below k, marks for gold, and long lists in few traces."""

from __future__ import annotations

from ir_core.charts import rank_flow_figure
from tests.made_results import result
from tests.test_charts import PALETTE

ORIGINAL = result(["a", "b"], below=["g", "x"])
OTHER = result(["g", "b"], below=["c", "a"])


def named(figure, name):
    return [trace for trace in figure.data if trace.name == name]


def test_what_is_below_k_stands_in_a_lane_of_its_own_with_its_real_rank():
    figure = rank_flow_figure([ORIGINAL, OTHER], 2, PALETTE)
    (lane,) = named(figure, "below 2")
    assert list(lane.x) == [1, 0]
    assert list(lane.text) == ["4", "3"]
    assert all(y > 2.5 for y in lane.y)
    assert set(lane.marker.symbol) == {"circle-open", "diamond-open"}
    assert lane.customdata[0] == ["a", "rank 4, below 2, gone"]
    assert figure.layout.yaxis.ticktext[-1] == "below 2"
    assert 2 < figure.layout.shapes[0].y0 < min(lane.y), "a line parts it from the first k"
    (way,) = [trace for trace in named(figure, "a") if trace.mode == "lines"]
    assert way.y[1] == lane.y[0], "a document's line goes on into the lane"
    assert not [trace for trace in figure.data if trace.mode == "lines+markers"], "retrieved, so no cross"
    assert max(lane.y) < figure.layout.yaxis.range[0]


def test_without_anything_below_k_there_is_no_lane():
    figure = rank_flow_figure([result(["a"]), result(["b"])], 2, PALETTE)
    assert not figure.layout.shapes
    assert list(figure.layout.yaxis.tickvals) == [1, 2]


def test_gold_is_marked_by_shape_and_word_also_below_k():
    figure = rank_flow_figure([ORIGINAL, OTHER], 2, PALETTE, expected="b", relevant={"g"})
    marks = {trace.name: trace for trace in figure.data if trace.mode == "markers+text"}
    assert marks["g"].marker.symbol == "square"
    assert list(marks["g"].text) == ["1 gold"]
    assert marks["g"].customdata[0][1] == "rank 1, saved, judged relevant"
    assert marks["b"].marker.symbol == "star"
    assert list(marks["b"].text) == ["2 expected", "2 expected"]
    gold = [lane for lane in named(figure, "below 2") if "square-open" in lane.marker.symbol]
    assert list(gold[0].text) == ["3 gold"]


def test_a_long_list_is_drawn_in_few_traces_that_hold_every_document():
    names = [f"d{number}" for number in range(120)]
    results = [result(names[i : i + 50], below=names[:i] + names[i + 50 :]) for i in range(0, 64, 8)]
    figure = rank_flow_figure(results, 50, PALETTE, relevant={"d3"})
    assert len(figure.data) < 20
    said = {(x, title) for trace in figure.data if trace.customdata for x, (title, _) in zip(
        trace.x, trace.customdata, strict=True)}  # fmt: skip
    assert {title for column, title in said if column == 0} >= set(names[:50])
    assert {title for column, title in said if column == 7} >= set(names[56:106])
    crowded = [trace for trace in figure.data if trace.mode == "markers"]
    assert crowded, "a crowded lane leaves its numbers to the hover box and the table"
    assert figure.layout.height < 2_200
