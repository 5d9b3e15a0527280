"""Headless evaluation: measures against written-out sums, intervals, and who is measured on what."""

from __future__ import annotations

import json
import math
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_core.compare import DEFAULT_TRANSFORMS, compare_all
from ir_core.errors import BadInput, BadSetting, Cancelled, UnknownName, WriterError
from ir_core.evaluation import evaluate, paired, parse, score
from ir_core.library import JudgedQuery
from ir_core.retrieval import SearchSettings
from ir_core.schema import Written
from tests.scripted import GOOD, ScriptedWriter
from tests.test_retrieval import engine  # noqa: F401  (a fixture)

SIX = [(name, {}) for name in DEFAULT_TRANSFORMS]
HISTORY = ({"role": "user", "content": "How do I share a folder?"},)
QUERIES = [
    JudgedQuery("q1", "reset my password", "simple"),
    JudgedQuery("q2", "and with guests?", "follow_up", HISTORY),
    JudgedQuery("q3", "thanks a lot", "small_talk"),
    JudgedQuery("q4", "zzz qqq", "vocabulary"),
    JudgedQuery("q5", "invoice address", "simple"),
]
QRELS = {
    "q1": {"d000": 2, "d006": 2, "d012": 1},
    "q2": {"d001": 1},
    "q4": {"gone": 1, "d003": 1},
    "q5": {"d002": 0},
}


def run(engine, writer=None, *, transforms=SIX, queries=QUERIES, **options):  # noqa: F811
    return evaluate(
        engine, queries, QRELS, transforms=transforms, writer=writer or ScriptedWriter(),
        settings=options.pop("settings", SearchSettings()), **options,
    )  # fmt: skip


def values(names, qrels, runs):
    return score([parse(name) for name in names], qrels, runs)


# measures


def test_measures_are_the_written_out_sums():
    qrels = {"q": {"a": 2, "b": 1, "c": 2}}
    gold = ["all_gold_recall@3", "all_gold_recall@5"]
    found = values(
        ["ndcg@3", "recall@2", "recall@4", "mrr@10", "success@1", "success@2", *gold],
        qrels,
        {"q": ["x", "a", "b", "y", "c"]},
    )["q"]
    ideal = 2 / math.log2(2) + 2 / math.log2(3) + 1 / math.log2(4)
    assert found["ndcg@3"] == pytest.approx((2 / math.log2(3) + 1 / math.log2(4)) / ideal)
    assert found["recall@2"] == pytest.approx(1 / 3)
    assert found["recall@4"] == pytest.approx(2 / 3)
    assert found["mrr@10"] == 1 / 2
    assert (found["success@1"], found["success@2"]) == (0, 1)
    assert (found["all_gold_recall@3"], found["all_gold_recall@5"]) == (0, 1), "needed are a and c; b only helps"


def test_a_query_that_retrieved_nothing_scores_zero():
    qrels = {"q": {"a": 1}, "r": {"a": 1}}
    names = ["ndcg@10", "recall@5", "mrr@10", "all_gold_recall@5", "success@5"]
    assert values(names, qrels, {"q": [], "r": ["a"]}) == {
        "q": dict.fromkeys(names, 0.0),
        "r": dict.fromkeys(names, 1.0),
    }
    assert values(names, qrels, {"q": []}) == {"q": dict.fromkeys(names, 0.0)}
    assert values(names, qrels, {}) == {}


@settings(deadline=None)
@given(
    st.lists(st.sampled_from("abcdefghijkl"), unique=True),
    st.dictionaries(st.sampled_from("abcdefghijkl"), st.integers(1, 3), min_size=1),
)
def test_measures_lie_between_0_and_1_and_grow_with_the_cutoff(found, judged):
    names = [f"{family}@{k}" for family in ("ndcg", "recall", "mrr", "success", "all_gold_recall") for k in (2, 5)]
    own = values(names, {"q": judged}, {"q": found})["q"]
    assert all(0 <= value <= 1 + 1e-9 for value in own.values())
    for family in ("recall", "mrr", "success", "all_gold_recall"):
        assert own[f"{family}@2"] <= own[f"{family}@5"]
    assert own["all_gold_recall@5"] <= own["success@5"]


@pytest.mark.parametrize(
    ("name", "error"), [("recal@5", UnknownName), ("recall", BadSetting), ("recall@0", BadSetting)]
)
def test_a_measure_that_is_none_is_refused(name, error):
    with pytest.raises(error, match="recall"):
        parse(name)


# intervals


def test_the_interval_agrees_with_the_normal_one_and_is_always_the_same():
    drawn = np.random.default_rng(3).normal(0.05, 0.2, 400)
    found = paired(list(drawn), [0.0] * 400)
    half = 1.96 * drawn.std(ddof=1) / math.sqrt(400)
    assert found.low == pytest.approx(drawn.mean() - half, abs=0.1 * half)
    assert found.high == pytest.approx(drawn.mean() + half, abs=0.1 * half)
    assert found == paired(list(drawn), [0.0] * 400)
    assert found.is_evidence
    assert (found.wins, found.losses) == (int((drawn > 0).sum()), int((drawn < 0).sum()))


@pytest.mark.parametrize(
    ("own", "original", "expected"),
    [
        ([], [], (None, None, None, 0, 0, 0)),
        ([0.5], [0.25], (0.25, None, None, 1, 0, 0)),
        ([0.5, 0.5], [0.5, 0.5], (0, 0, 0, 0, 2, 0)),
        ([0.0, 0.0], [0.5, 0.5], (-0.5, -0.5, -0.5, 0, 0, 2)),
    ],
)
def test_degenerate_differences(own, original, expected):
    found = paired(own, original)
    assert (found.mean, found.low, found.high, found.wins, found.ties, found.losses) == expected
    assert found.n == len(own)


# evaluate


def test_the_unjudged_are_left_out_by_name_and_every_judged_one_is_scored(engine):  # noqa: F811
    found = run(engine)
    reasons = {item.query_id: item.reason for item in found.excluded}
    assert set(reasons) == {"q3", "q5"}, "q5 has a judgement, but nothing relevant"
    assert "Small talk" in reasons["q3"]
    assert "relevant" in reasons["q5"]
    for column in found.columns:
        assert [row.query_id for row in column.rows] == ["q1", "q2", "q4"]
        assert all(row.scores is not None for row in column.rows)
    assert found.missing_gold == ("gone",)
    lexical = run(engine, transforms=[], settings=SearchSettings(mode="lexical"))
    assert set(lexical.columns[0].rows[2].scores.values()) == {0.0}, "no document holds a word of q4"
    assert lexical.columns[0].rows[2].retrieved == ()


def test_what_is_measured_is_what_the_comparison_shows(engine):  # noqa: F811
    found = run(engine, settings=SearchSettings(k=3))
    shown = compare_all(
        engine, "reset my password", transforms=SIX, writer=ScriptedWriter(), settings=SearchSettings(k=10)
    )
    for column, result in zip(found.columns, shown, strict=True):
        assert column.transform == result.formulation.transform
        assert column.rows[0].retrieved == tuple(hit.artifact_id for hit in result.fused.hits)
        assert column.rows[0].queries == tuple(query.text for query in result.formulation.queries)
        assert len(column.rows[0].retrieved) == 10


def test_differences_pair_each_query_with_its_original(engine):  # noqa: F811
    found = run(engine)
    for column in found.columns:
        total = found.summary(column)
        for name in found.measures:
            own = [row.scores[name] for row in column.rows]
            base = [row.scores[name] for row in found.columns[0].rows]
            assert total.means[name] == pytest.approx(sum(own) / 3)
            assert total.difference[name].mean == pytest.approx((sum(own) - sum(base)) / 3)
            assert total.difference[name].n == 3
    first = found.summary(found.columns[0])
    assert {(one.low, one.high, one.ties) for one in first.difference.values()} == {(0.0, 0.0, 3)}
    simple = found.summary(found.columns[1], lambda row: row.category == "simple")
    assert simple.n == 1


def test_a_follow_up_comes_with_its_history(engine):  # noqa: F811
    writer = ScriptedWriter()
    run(engine, writer, transforms=[("rewrite", {})])
    assert {task.query: task.history for task in writer.asked}["and with guests?"] == HISTORY
    assert {task.query: task.history for task in writer.asked}["reset my password"] == ()


def test_one_failed_query_costs_only_itself(engine):  # noqa: F811
    """A writer that answers with a surface the index does not hold breaks the whole batch's search."""

    def passage(task):
        if task.query == "zzz qqq":
            return [Written("a passage", surface_ids=("no-such#chunk#0",))]
        return GOOD["hyde"]

    broken = run(engine, ScriptedWriter({**GOOD, "hyde": passage}))
    sound = run(engine)
    hyde = broken.columns[3]
    assert [bool(row.error) for row in hyde.rows] == [False, False, True]
    assert set(hyde.rows[2].scores.values()) == {0.0}
    assert broken.summary(hyde).failed == 1
    for column, other in zip(broken.columns, sound.columns, strict=True):
        kept = column.rows[:2] if column is hyde else column.rows
        assert [row.retrieved for row in kept] == [row.retrieved for row in other.rows[: len(kept)]]


def test_fallbacks_are_counted_and_scored_as_the_original(engine):  # noqa: F811
    def variants(task):
        if task.query == "zzz qqq":
            raise WriterError("no idea")
        return GOOD["multi_query"]

    found = run(engine, ScriptedWriter({**GOOD, "multi_query": variants}), transforms=[("multi_query", {})])
    original, variants_column = found.columns
    assert found.summary(variants_column).fallback_rate == pytest.approx(1 / 3)
    assert variants_column.rows[2].scores == original.rows[2].scores


def test_unknown_stays_unknown_and_nothing_called_costs_nothing(engine):  # noqa: F811
    found = run(engine, transforms=[("rewrite", {})])
    original, rewrite = (found.summary(column) for column in found.columns)
    assert (original.calls, original.cost_usd, original.tokens_in) == (0, 0, 0)
    assert (rewrite.calls, rewrite.cost_usd, rewrite.tokens_in, rewrite.tokens_out) == (1, None, 9, None)


def test_seconds_hold_the_writer_and_are_of_the_timed_queries_only(engine):  # noqa: F811
    slow = ScriptedWriter(delay=0.1)
    found = run(engine, slow, transforms=[("rewrite", {})], timed_queries=2)
    original, rewrite = (found.summary(column) for column in found.columns)
    assert (original.n_timed, rewrite.n_timed) == (2, 2)
    assert original.latency_s < 0.1 < rewrite.latency_s
    assert len(slow.asked) == 3, "measuring seconds asks the writer nothing again"
    assert run(engine, transforms=[], timed_queries=0).summary(found.columns[0]).n == 3


def test_it_is_json(engine):  # noqa: F811
    data = json.loads(json.dumps(run(engine).to_json(), allow_nan=False))
    assert data["n"] == 3
    assert [item["transform"] for item in data["transforms"]] == list(DEFAULT_TRANSFORMS)
    assert data["transforms"][1]["difference"]["ndcg@10"].keys() == {"mean", "low", "high", "wins", "ties", "losses"}
    assert data["transforms"][2]["settings"]["n"] == 3


def test_nothing_to_measure_is_said_and_a_stop_is_kept(engine):  # noqa: F811
    with pytest.raises(BadInput, match="judgement"):
        run(engine, queries=QUERIES[2:3])
    cancel = threading.Event()
    cancel.set()
    writer = ScriptedWriter()
    with pytest.raises(Cancelled):
        run(engine, writer, cancel=cancel)
    assert writer.asked == []
