"""The ship gate: each condition alone decides, what was not tested is said, and the command's exit code follows."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from ir_core import library
from ir_core.cli import main
from ir_core.cli.gate import text
from ir_core.errors import BadInput, WriterError
from ir_core.evaluation import Column, Evaluation, Judge, Row, evaluate
from ir_core.evaluation.gate import MEASURE, decide, gate
from ir_core.evaluation.gate_result import BOSS, TRANSFORMS
from ir_core.evaluation.judging import JUDGE_TASK
from ir_core.evaluation.rating import Spread
from ir_core.evaluation.verdicts import Judging
from ir_core.library import JudgedQuery
from ir_core.retrieval import SearchSettings
from ir_core.session import open_engine, prepare
from scripts.gate_table import section
from tests.scripted import GOOD, ScriptedWriter


def rows(values, **options):
    return tuple(
        Row(f"q{n}", "?", "easy" if n % 2 else "hard", {MEASURE: value}, retrieved=("d",), latency_s=0.1, **options)
        for n, value in enumerate(values)
    )


def evaluated(*columns):
    return Evaluation(
        (MEASURE,), tuple(Column(name, name, {}, own) for name, own in zip(TRANSFORMS.values(), columns, strict=True))
    )


FLAT = rows([0.4] * 10)
BETTER = rows([0.5] * 10)


def passing():
    return {BOSS: evaluated(FLAT, FLAT, BETTER, FLAT), "regression": evaluated(FLAT, FLAT, FLAT, FLAT)}


def test_a_gain_of_ten_points_and_no_fall_passes():
    found = decide(passing())
    assert found.passed
    assert found.routed == {"easy": "multi_query", "hard": "multi_query"}
    assert found.routed_recall == pytest.approx(0.5)
    assert found.transforms[2].evidence.p == pytest.approx(2 / 2**10), "ten equal gains: both extreme sign patterns"
    assert any("untested" in note for note in found.notes), "no judge"
    data = json.loads(json.dumps(found.to_json()))
    assert set(data) >= {"passed", "reasons", "transforms", "sets"}
    assert [one["registry_id"] for one in data["transforms"]] == list(TRANSFORMS.values())
    assert {"transform", "registry_id", "recall@5", "judge_score", "latency_s", "cost_usd"} <= set(
        data["transforms"][0]
    )
    assert data["transforms"][2]["recall@5"] == pytest.approx(0.5)
    assert data["transforms"][2]["judge_score"] is None


def changed(set_name, slot, own):
    found = passing()
    columns = list(found[set_name].columns)
    columns[slot] = replace(columns[slot], rows=own)
    return {**found, set_name: replace(found[set_name], columns=tuple(columns))}


@pytest.mark.parametrize(
    ("set_name", "slot", "own", "said"),
    [
        (BOSS, 2, rows([0.49] * 10), "No transform beats none by 10 points of recall@5; the best gains 9.0"),
        (BOSS, 1, rows([0.4] * 10, fallback_reason="blank"), "hyde on the set 'boss': 10 of 10 fell back"),
        (
            BOSS,
            3,
            (*FLAT[:9], replace(FLAT[9], error="broke")),
            "on the set 'boss': 1 of 10 questions failed",
        ),
        (BOSS, 3, (*FLAT[:9], replace(FLAT[9], retrieved=())), "1 of 10 questions were not ranked"),
        (BOSS, 1, rows([0.4] * 10, cost_usd=None), "The cost of hyde is not known"),
        (BOSS, 1, tuple(replace(row, latency_s=None) for row in FLAT), "The latency of hyde is not known"),
        ("regression", 2, rows([0.3] * 10), "multi_query gains, but falls on the set 'regression'"),
        ("regression", 1, rows([0.4] * 10, error="broke"), "hyde on the set 'regression': 10 of 10 questions failed"),
    ],
)
def test_one_condition_that_fails_is_named_and_decides(set_name, slot, own, said):
    found = decide(changed(set_name, slot, own))
    assert not found.passed
    assert len(found.reasons) == 1
    assert said in found.reasons[0]


def test_two_fallbacks_of_ten_may_be_and_who_gains_nothing_may_fall():
    two = (*rows([0.4] * 2, fallback_reason="blank"), *FLAT[2:])
    assert decide(changed(BOSS, 1, two)).passed
    assert decide(changed("regression", 1, rows([0.1] * 10))).passed


def test_a_set_without_an_interval_decides_nothing_and_is_named_with_its_size():
    one = [FLAT[:1], rows([0.0]), rows([0.0]), FLAT[:1]]
    found = decide({**passing(), "rare": evaluated(*one)})
    said = (
        "The regression set 'rare' has 1 question in 1 group, too few for an interval: that nothing falls on it is "
        "untested."
    )
    assert found.passed
    assert said in found.to_json()["notes"]
    assert f"note: {said}" in text(found)
    assert "that nothing falls on the set 'rare' is untested" in section("help_center", "corpus", found)
    assert "**Passed**." in section("help_center", "corpus", decide(passing()))
    together = {
        **passing(),
        "rare": replace(evaluated(*[rows([0.4] * 3)] * 4), groups={f"q{n}": 0 for n in range(3)}),
    }
    assert any("'rare' has 3 questions in 1 group, " in note for note in decide(together).notes)
    assert not any("'regression'" in note for note in decide(together).notes)


def rated(*points):
    """The boss set where each transform's lists have these ratings, the same for every question."""
    own = [
        tuple(
            replace(row, scores={**row.scores, **({} if value is None else {"judge@5": value / 100})}) for row in FLAT
        )
        for value in points
    ]
    told = Judging("a judge", 5, 3, False, False, 40, 120, 0.01, 1, 1, Spread(40, 2.0, 0.1, 0, 0))
    return {BOSS: replace(evaluated(*own), measures=(MEASURE, "judge@5"), judging=told)}


def test_a_judge_alone_can_pass_it_and_no_regression_query_is_said():
    close = decide(rated(50, 64.9, 50, 50))
    assert not close.passed
    assert "or 15 of judge score" in close.reasons[0]
    made = decide(rated(50, 65, 50, 50))
    assert made.passed
    assert made.notes[0] == "There is no regression query: that nothing falls is untested."
    assert made.transforms[1].judge_score == pytest.approx(65)
    assert made.transforms[1].judge_gain.low == pytest.approx(15)
    assert made.to_json()["transforms"][1]["judge_score"] == pytest.approx(65)


def test_a_judge_that_rated_nothing_leaves_its_branch_untested():
    found = decide(rated(None, None, None, None))
    assert found.notes[0] == "The judge rated nothing. So the branch by judge score is untested."
    assert all(one.judge_score is None for one in found.transforms)
    assert "judge" not in found.reasons[0]


@pytest.fixture
def engine():
    return open_engine(prepare("help_center", embedder="hashing"))


def few(n=4):
    corpus = library.corpus("help_center")
    judged = [query for query in corpus.queries() if query.id in corpus.qrels() and query.category != "small_talk"]
    boss = [query for query in judged if query.set == BOSS][:n]
    return [*boss, *[query for query in judged if query.set != BOSS][:n]], corpus.qrels()


def test_it_runs_all_four_over_every_set_and_times_the_boss_set(engine):
    queries, qrels = few()
    found = gate(engine, queries, qrels, writer=ScriptedWriter(), settings=SearchSettings())
    assert [one.transform for one in found.transforms] == list(TRANSFORMS)
    assert [(one.name, one.n) for one in found.sets] == [(BOSS, 4), ("regression", 4)]
    assert all(one.latency_s is not None for one in found.transforms)
    broken = ScriptedWriter({**GOOD, "hyde": WriterError("busy")})
    reasons = gate(engine, queries, qrels, writer=broken, settings=SearchSettings()).reasons
    assert "hyde on the set 'boss': 4 of 4 fell back to the original; at most 20% may." in reasons


def test_it_passes_by_what_a_judge_reads_in_the_lists(engine):
    """20 for what the original found, 90 for any other list."""
    queries, qrels = few()
    settings = SearchSettings()
    boss = [query for query in queries if query.set == BOSS]
    plain = evaluate(
        engine, boss, qrels, transforms=[], writer=ScriptedWriter(), settings=settings, measures=(MEASURE,)
    ).columns[0]
    lists = {(row.text, row.surface_ids[:5]) for row in plain.rows}

    def rate(task):
        return ["20" if (task.query, tuple(hit.surface_id for hit in task.hits)) in lists else "90"]

    rater = ScriptedWriter({JUDGE_TASK: rate}, name="rater", label="rater", tasks=frozenset({JUDGE_TASK}))
    found = gate(engine, queries, qrels, writer=ScriptedWriter(), settings=settings, judge=Judge(rater))
    none, *others = found.transforms
    assert none.judge_score == 20
    assert max(one.judge_score for one in others) > 35
    assert not any(reason.startswith("No transform beats none") for reason in found.reasons)
    assert {task.query for task in rater.asked} == {query.text for query in boss}, "regression sets are not rated"


def test_a_corpus_without_a_boss_set_says_how_to_have_one(engine):
    with pytest.raises(BadInput, match='"set": "boss"'):
        gate(engine, [JudgedQuery("q", "a")], {"q": {"d": 1}}, writer=ScriptedWriter(), settings=SearchSettings())


def test_the_command_exits_with_3_and_says_why(capsys):
    assert main(["gate", "--corpus", "help_center", "--embedder", "hashing", "--json"]) == 3
    data = json.loads(capsys.readouterr().out)
    assert data["passed"] is False
    assert data["reasons"]
    assert [one["set"] for one in data["sets"]] == ["boss", "regression"]
    assert data["sets"][0]["n"] == 10
