"""Measures: the field's own figures, on the sample corpora and on exported runs; answers in what was found."""

from __future__ import annotations

import random

import pytest
import pytrec_eval

from ir_core import library
from ir_core.evaluation import Plan, parse, score
from ir_core.evaluation.answers import answer_rank, normalised, score_of, usable
from ir_core.evaluation.measures import unjudged_share
from ir_core.library import JudgedQuery, samples
from scripts.measures_reference import THEIRS, largest_difference


@pytest.mark.parametrize("corpus", samples.names())
def test_they_equal_pytrec_eval_on_the_samples(corpus):
    one = library.corpus(corpus)
    qrels = one.qrels()
    assert largest_difference(qrels, [artifact.id for artifact in one.load().artifacts], seed=1) < 1e-9


def test_negative_grades_and_grades_of_nothing_count_as_not_relevant():
    runs = {"q": ["bad", "good", "unknown"], "none": []}
    qrels = {"q": {"bad": -2, "good": 2, "zero": 0}, "none": {"x": 1}}
    found = score([parse(name) for name in ("precision@2", "map@2", "recall@2", "ndcg@2")], qrels, runs)
    assert found["q"] == pytest.approx(
        {"precision@2": 1 / 2, "map@2": 1 / 2, "recall@2": 1.0, "ndcg@2": (2 / 1.584962500721156) / 2}
    )
    assert set(found["none"].values()) == {0.0}


def test_an_alias_is_the_same_measure():
    assert parse("Success@5") == parse("hit@5")
    old = Plan("c", "i", (), measures=("hit@5", "hit_rate@1"))
    assert Plan.from_json(old.to_json() | {"measures": ["hit@5"]}).measures == ("success@5",), "of an old run"
    assert old.measures == ("success@5", "success@1")
    assert parse("AP@7").name == "map@7"


def test_every_family_of_trec_eval_is_compared():
    assert set(THEIRS) == {"ndcg", "recall", "precision", "map", "success", "mrr"}
    assert set(pytrec_eval.supported_measures) >= {"ndcg_cut", "P", "recall", "map_cut", "success", "recip_rank"}


def query(*answers):
    return JudgedQuery("q", "?", answers=answers)


@pytest.mark.parametrize(
    ("answers", "rank"),
    [
        (("the Eiffel Tower",), 2),
        (("Eiffel-Tower!",), 2),
        (("tower",), 2),
        (("owe",), 0),
        (("yes", "eiffel tower"), 2),
        (("Yes.",), None),
        (("42",), None),
        ((), None),
        (("برج إيفل",), 3),
    ],
)
def test_an_answer_is_found_as_whole_words_at_its_rank(answers, rank):
    passages = ["Nothing at all.", "An (Eiffel) Tower, 330 m.", "زرت «برج إيفل» أمس."]
    assert answer_rank(query(*answers), passages) == rank


def test_at_a_cutoff_it_is_one_zero_or_not_measured():
    assert [score_of(rank, 2) for rank in (None, 0, 1, 2, 3)] == [None, 0.0, 1.0, 1.0, 0.0]
    assert normalised("The  A-B, an C") == "ab c"
    assert [plain for plain, _ in usable(["No", "x1", "a cat", "A Cat.", "نعم", "لا"])] == ["cat"]


@pytest.mark.parametrize(
    ("answer", "passage", "stands"),
    [
        ("O'Neil", "Written by ONeil.", True),
        ("U.S.A.", "made in the USA", True),
        ("U.S.A.", "the U.S. government", False),
        ("1,000 books", "some 1000 books", True),
        ("12 percent", "a fee of 1.2 percent", False),
        ("1.2 percent", "a fee of 1.2 percent.", True),
        ("Paris", "Paris—the capital", True),
        ("word", "either word/phrase", True),
        ("20 °C", "kept at 20°C or less", True),
        ("東京都庁", "それは東京都庁です", True),
        ("NHKホール", "会場は「NHKホール」だ", True),
        ("NHK", "私はNHKを見る", True),
        ("NHK", "私はNHKXを見る", False),
        ("กรุงเทพ", "เมืองหลวงคือกรุงเทพมหานคร", True),
        ("برج", "زرت برجا", False),
    ],
)
def test_marks_are_taken_out_as_in_squad_and_scripts_without_spaces_have_no_words(answer, passage, stands):
    assert answer_rank(query(answer), [passage]) == int(stands)


def test_two_letters_are_left_out_in_every_script():
    assert answer_rank(query("東京"), ["それは東京です"]) is None


def test_the_unjudged_share_counts_what_nobody_looked_at():
    assert unjudged_share(["a", "b", "c", "d"], {"a": 0, "b": 1}) == 0.5
    assert unjudged_share([], {"a": 1}) is None


def test_shuffled_judgements_change_nothing():
    grades = [(f"d{n}", n % 3) for n in range(30)]
    run = {"q": [f"d{n}" for n in range(0, 30, 2)]}
    wanted = [parse(f"{family}@10") for family in (*THEIRS, "all_gold_recall")]
    shuffled = random.Random(0).sample(grades, len(grades))
    assert score(wanted, {"q": dict(grades)}, run) == score(wanted, {"q": dict(shuffled)}, run)
