"""Stacked shares, read as data."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ir_core.analysis.provenance import provenance
from ir_core.charts.provenance import provenance_figure
from ir_core.schema import Query, Ranking
from tests.made_results import hit, result
from tests.test_charts import PALETTE

QUERIES = (Query("original", "q"), Query("variant-1", "v", "variant"))
NAMES = {"original": "original", "variant-1": "variant 1"}


def found(title: str | None = None):
    first = hit("a", 1, title=title, found=[("original", "dense", "a#document#0", 1, 0.3),
                                            ("variant-1", "lexical", "a#document#0", 2, 0.1)])  # fmt: skip
    second = hit("b", 2, found=[("original", "dense", "b#document#0", 2, 0.2)])
    words = Ranking("variant-1", "lexical", (replace(first, rank=2),))
    rankings = (Ranking("original", "dense", (first, second)), words)
    made = result([], queries=QUERIES)
    return provenance(replace(made, rankings=rankings, fused=Ranking("fused", "fused", (first, second))))


def test_a_bar_is_as_long_as_the_score_and_has_a_part_per_query_and_leg():
    figure = provenance_figure(found(), PALETTE, NAMES)
    bars = {bar.name: bar for bar in figure.data}
    assert {name: list(bar.x) for name, bar in bars.items()} == {
        "original, dense": [0.3, 0.2], "variant 1, words": [0.1, 0.0]
    }  # fmt: skip
    assert figure.layout.barmode == "stack"
    assert bars["original, dense"].marker.color != bars["variant 1, words"].marker.color
    assert bars["original, dense"].marker.pattern.shape != bars["variant 1, words"].marker.pattern.shape
    said = bars["variant 1, words"].customdata[0][1]
    assert said == "rank 2 there, share 0.100000, 25% of the score"


def test_one_chosen_query_leaves_only_its_hits_and_makes_the_others_faint():
    figure = provenance_figure(found(), PALETTE, NAMES, "variant-1")
    bars = {bar.name: bar for bar in figure.data}
    assert [list(bar.x) for bar in bars.values()] == [[0.1], [0.3]], "its own first, so that it can be compared"
    assert bars["original, dense"].opacity < bars["variant 1, words"].opacity == 1


@pytest.mark.parametrize("title", ['<b>x</b> %{x} <a href="http://h">', "متحف القاهرة"])
def test_titles_are_text_and_stand_isolated(title):
    figure = provenance_figure(found(title), PALETTE, NAMES)
    assert "<b>" not in str(figure.layout.yaxis.ticktext)
    assert figure.layout.yaxis.ticktext[0].startswith("1. \u2068")
    assert all("%{x}" not in bar.hovertemplate for bar in figure.data)


def test_nothing_found_gives_an_empty_figure():
    assert len(provenance_figure(provenance(result([])), PALETTE, {"original": "original"}).data) == 0
