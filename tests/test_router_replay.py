"""Labels scored, and routes replayed: figures as written-out sums, and each cell what the transform alone scores."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from ir_core.evaluation import evaluate
from ir_core.evaluation.labelling import labelling, wilson
from ir_core.evaluation.replay import (
    ROUTED,
    Cell,
    Measured,
    condensed,
    expected,
    key_of,
    measured,
    outcome,
    routed_cell,
)
from ir_core.library import JudgedQuery
from ir_core.retrieval import SearchSettings
from ir_core.router import DECIDERS, Decision, Route, from_line, published, route
from tests.scripted import ScriptedWriter
from tests.transforming import HISTORY, engine

TABLE = from_line("broad=multi_query;multi_hop=decompose;small_talk=no_search;follow_up=condense>route")
ASKED = JudgedQuery("q1", "forgot my password")
QRELS = {"q1": {"reset": 1, "account": 1}}
ROW = Measured(ASKED, {
    "identity": Cell(0.5, 0, 1), "multi_query": Cell(0.8, 1, 4), "decompose": Cell(0.8, 1, 3),
    "condense": Cell(0.5, 1, 1), "no_search": Cell(0.0, 0, 0), "hyde": Cell(1.0, 1, 2),
})  # fmt: skip


def decided(label, **more):
    return Decision(label, "test", (), **more)


def test_recall_by_label_and_their_mean():
    pairs = [("a", "a"), ("a", "b"), ("b", "b"), ("c", "a"), ("b", "b"), ("b", "other")]
    found = labelling(pairs, ("a", "b", "none"))
    assert (found.recalls["a"].value, found.recalls["b"].value, found.recalls["none"].value) == (1 / 2, 2 / 3, None)
    assert found.macro == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert (found.n, found.confusion["b", "other"], ("c", "a") in found.confusion) == (5, 1, False)
    assert labelling([], ("a",)).macro is None


def test_wilsons_interval_solves_its_equation_and_stays_a_share():
    for right, n in ((0, 7), (5, 5), (3, 10), (80, 100)):
        for bound in wilson(right, n):
            assert 0 <= bound <= 1
            distance = abs(right / n - bound)
            assert distance == pytest.approx(1.959964 * math.sqrt(bound * (1 - bound) / n), abs=1e-9)
    with pytest.raises(ValueError, match="nothing"):
        wilson(0, 0)


def test_regret_is_to_the_tables_best_route_and_ties_go_to_the_cheaper():
    found = outcome(ROW, decided("simple"), TABLE)
    assert (found.taken, found.best, found.value, found.best_value) == ("identity", "decompose", 0.5, 0.8)
    assert found.regret == pytest.approx(0.8 - 0.5)  # hyde's 1.0 is no route of this table
    assert outcome(ROW, decided("multi_hop"), TABLE).regret == 0
    assert outcome(ROW, decided("broad"), TABLE).regret == 0
    assert outcome(ROW, decided("small_talk"), TABLE).regret == pytest.approx(0.8)


def test_the_deciders_own_calls_and_searches_are_paid_and_a_kept_search_only_once():
    asked = outcome(ROW, decided("broad", calls=(None,), searches=1), TABLE)  # type: ignore[arg-type]
    assert (asked.calls, asked.searches) == (1 + 1, 4 + 1)
    kept = outcome(ROW, decided("broad", searches=1, keeps_original=True), TABLE)
    assert (kept.taken, kept.calls, kept.searches) == ("identity", 0, 1)
    assert outcome(ROW, decided("simple", searches=1), TABLE).searches == 1


def test_random_routes_have_the_mean_of_their_labels():
    given = Counter({"simple": 3, "broad": 1, "small_talk": 1})
    assert expected(ROW, given, TABLE) == pytest.approx((3 * 0.5 + 1 * 0.8 + 1 * 0.0) / 5)


def test_a_routed_follow_up_is_a_route_of_its_own():
    followed = Cell(0.9, 2, 3)
    found = outcome(ROW, decided("follow_up"), TABLE, followed)
    assert (found.taken, found.best, found.calls, found.searches) == (ROUTED, ROUTED, 2, 3)
    missed = outcome(ROW, decided("simple"), TABLE, followed)
    assert (missed.taken, missed.best, missed.regret) == ("identity", ROUTED, pytest.approx(0.4))
    assert outcome(ROW, decided("follow_up"), TABLE).taken == "condense"


def test_cells_are_what_evaluation_measures_and_route_finds():
    settings, writer = SearchSettings(k=3), ScriptedWriter()
    routes = [Route("identity"), Route("multi_query"), Route("decompose"), Route("hyde", {"with_query": False})]
    row = measured(engine(), ASKED, routes, QRELS, writer, settings)
    table = evaluate(
        engine(), [ASKED], QRELS, transforms=[(one.transform, one.settings) for one in routes], writer=writer,
        settings=settings, measures=["ndcg@10"], timed_queries=0,
    )  # fmt: skip
    for one, column in zip(routes, table.columns, strict=True):
        assert row.cells[key_of(one)].value == pytest.approx(column.rows[0].scores["ndcg@10"])
    rules = DECIDERS.make("rules")
    found = route(engine(), ASKED.text, decider=rules, table=TABLE, writer=writer, settings=SearchSettings(k=10))
    whole = routed_cell(ASKED, found, QRELS)
    told = outcome(row, found.decision, TABLE)
    assert (whole.value, whole.calls, whole.searches) == (pytest.approx(told.value), told.calls, told.searches)


def test_only_a_conversation_is_condensed_and_only_where_the_table_says_so():
    rules, writer, settings = DECIDERS.make("rules"), ScriptedWriter(), SearchSettings(k=3)
    talk = JudgedQuery("q2", "and that one?", history=HISTORY)
    assert condensed(engine(), ASKED, rules, published()["ours"], writer, settings) is None
    assert condensed(engine(), talk, rules, published()["course"], writer, settings) is None
    found = condensed(engine(), talk, rules, published()["ours"], writer, settings)
    assert found is not None
    assert next(task.name for task in writer.asked) == "condense"
