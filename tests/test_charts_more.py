"""Figures of drift, map, Gantt, samples and the budget line, read as data."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ir_core.analysis.drift import Drift
from ir_core.analysis.projection import Ground
from ir_core.analysis.query_map import Gold, Placed, QueryMap
from ir_core.analysis.samples import Sample, Samples
from ir_core.analysis.timeline import timeline
from ir_core.charts import Palette, latency_figure
from ir_core.charts.drift import drift_figure
from ir_core.charts.gantt import gantt_figure
from ir_core.charts.query_map import hover_titles, query_map_figure
from ir_core.charts.samples import samples_figure
from ir_core.schema import Call, Trace
from tests.made_results import result

PALETTE = Palette(tuple(f"#00000{i}" for i in range(1, 9)), ("#111111", "#222222", "#333333"), "#444", "#555", "#666")
HOSTILE = '<b>x</b><a href="http://h">$y$</a> %{x} \u202eكلمة'
DRIFT = Drift(
    HOSTILE, "v1", "variant", HOSTILE, 0.5, None, (), (), (), (), "en", False, None, (), 2, 2, ("moved in meaning",)
)
PLACED = Placed(0, HOSTILE, "original", "original", HOSTILE, 0.0, 0.0, 1.0, "d", 0.5, None)


def ground(titles: tuple[str, ...], explained: tuple[float, float] | None = (0.2, 0.1)) -> Ground:
    n = len(titles)
    return Ground(
        "f", np.zeros(4), np.zeros((2, 4)), np.arange(n), np.zeros((n, 2), dtype=np.float32), titles, explained, n
    )


def mapped(drawn: QueryMap, made: Ground):
    return query_map_figure(made, hover_titles(made), drawn, PALETTE)


def test_drift_says_by_shape_what_repeats_and_what_is_template_text():
    found = [
        (1, DRIFT),
        (1, replace(DRIFT, duplicate_of="v1")),
        (2, replace(DRIFT, template=("label",))),
        (2, replace(DRIFT, similarity=None, unread="unread")),
    ]
    dots = drift_figure(found, PALETTE).data[0]
    assert list(dots.marker.symbol) == ["circle", "circle-open", "x-thin"]
    assert list(dots.y) == [0, 1, 2], "what was not compared keeps its row and has no dot"
    assert list(dots.x) == [0.5, 0.5, 0.5]


def test_the_map_joins_each_query_to_the_original_and_marks_gold_by_shape():
    rest = [replace(PLACED, column=1, query_id="h1", role=role, x=1.0) for role in ("variant", "hypothetical")]
    gold = (Gold("a", HOSTILE, True, 2.0, 2.0, 0.3), Gold("b", "b", False, 3.0, 3.0, 0.3))
    figure = mapped(QueryMap((PLACED, *rest), gold, 0, None), ground(("a", HOSTILE)))
    by_name = {trace.name: trace for trace in figure.data}
    ways = next(trace for trace in figure.data if trace.mode == "lines")
    assert list(ways.x) == [0.0, 1.0, None, 0.0, 1.0, None]
    assert list(by_name["looked for"].marker.symbol) == ["star", "square"]
    shapes = [list(trace.marker.symbol) for trace in figure.data if trace.name and trace.name[:2] in {"1.", "2."}]
    assert shapes == [["circle"], ["diamond", "hexagon"]]
    assert figure.layout.xaxis.title.text == "component 1 (20.0% of the variance)"
    assert figure.layout.yaxis.scaleanchor == "x"


def test_the_gantt_hatches_waits_and_starts_bars_where_they_started():
    call = Call("hyde", HOSTILE, started=2.5, seconds=1.0, queued=0.5)
    one = result(["a"], calls=[call], trace=Trace(search_s=0.1, started=2.0), started=2.0, title=HOSTILE)
    bars = {trace.name: trace for trace in gantt_figure(timeline([one]), PALETTE).data}
    assert (bars["Waiting"].base[0], bars["Waiting"].x[0]) == pytest.approx((0, 500))
    assert (bars["Writing"].base[0], bars["Writing"].x[0]) == pytest.approx((500, 1000))
    assert bars["Searching"].base[0] == pytest.approx(1500)
    assert bars["Waiting"].marker.pattern.shape != bars["Writing"].marker.pattern.shape


def test_samples_say_each_cosine_in_its_cell():
    two = (Sample("h1", HOSTILE, 0.9, 0.5, 0.25), Sample("h2", "b", 0.9, 0.5, 0.25))
    figure = samples_figure(Samples(two, ((1.0, 0.25), (0.25, 1.0)), 0.75), PALETTE)
    assert [list(row) for row in figure.data[0].text] == [["1.00", "0.25"], ["0.25", "1.00"]]


@pytest.mark.parametrize(("budget", "drawn"), [(None, False), (0.1, True), (1.0, True), (60.0, False)])
def test_the_budget_is_a_line_unless_it_lies_far_out(budget, drawn):
    figure = latency_figure([result(["a"], trace=Trace(writer_s=0.5))], PALETTE, budget)
    assert [shape.x0 for shape in figure.layout.shapes] == ([1_000 * budget] if drawn else [])


@pytest.mark.parametrize(
    "figure",
    [
        lambda: drift_figure([], PALETTE),
        lambda: mapped(QueryMap((), (), 0, None), ground((), None)),
        lambda: gantt_figure(timeline([]), PALETTE),
        lambda: samples_figure(Samples((), (), 0.0), PALETTE),
        lambda: latency_figure([], PALETTE, 1.0),
    ],
    ids=["drift", "map", "gantt", "samples", "latency"],
)
def test_nothing_still_gives_a_figure(figure):
    assert figure().layout.height > 0


def test_markup_in_texts_is_text_in_every_figure():
    call = Call(HOSTILE, HOSTILE, started=2.5, seconds=1.0, error=HOSTILE)
    two = (Sample("h1", HOSTILE, 0.9, 0.5, 0.25),) * 2
    gold = (Gold("a", HOSTILE, True, 2.0, 2.0, 0.3),)
    figures = [
        drift_figure([(0, DRIFT)], PALETTE),
        mapped(QueryMap((PLACED,), gold, 0, None), ground((HOSTILE,))),
        gantt_figure(timeline([result([], calls=[call], started=2.0, title=HOSTILE)]), PALETTE),
        samples_figure(Samples(two, ((1.0, 0.2), (0.2, 1.0)), 0.8), PALETTE),
    ]
    for figure in figures:
        written = figure.to_json()
        assert "b>x" not in written.replace("&lt;b&gt;x", "")
        assert "\\u003cb\\u003ex" not in written
        assert "<a href" not in written
        assert all("%{x}" not in (trace.hovertemplate or "") for trace in figure.data), "a title is data"
