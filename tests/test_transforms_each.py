"""What is particular to each transform."""

from __future__ import annotations

import pytest

from ir_core.schema import Written
from tests.scripted import GOOD, ScriptedWriter
from tests.transforming import QUERY, run


def test_joined_turns_are_the_users_and_the_query():
    turns = [{"role": r, "content": c} for r, c in (("user", "a"), ("assistant", "x"), ("user", "b"), ("user", " "))]
    assert [query.text for query in run("joined_turns", history=turns).queries] == [f"a b {QUERY}"]
    assert [query.text for query in run("joined_turns", history=turns, turns=1).queries] == [f"b {QUERY}"]
    assert [query.text for query in run("joined_turns").queries] == [QUERY]


def test_rewrite_replaces_and_can_be_added():
    assert not run("rewrite").searches_original
    kept = run("rewrite", original_weight=1.0)
    assert [(q.role, q.weight) for q in kept.queries] == [("original", 1.0), ("rewrite", 1.0)]


def test_multi_query_keeps_the_original_and_at_most_n():
    made = run("multi_query", n=2)
    assert [query.role for query in made.queries] == ["original", "variant", "variant"]
    assert not run("multi_query", original_weight=0).searches_original


def test_hyde_goes_to_the_dense_leg_and_the_words_stay_the_users():
    made = run("hyde")
    assert made.combine == {"dense": "centroid", "lexical": "rrf"}
    assert {query.role: query.legs for query in made.queries} == {
        "original": ("dense", "lexical"),
        "hypothetical": ("dense",),
    }
    alone = run("hyde", with_query=False)
    assert {query.role: query.legs for query in alone.queries} == {
        "original": ("lexical",),
        "hypothetical": ("dense",),
    }


def test_averaged_hyde_asks_for_passages_that_differ_and_says_when_there_are_fewer():
    texts = ["A link arrives by mail.", "An owner resets it.", "a link arrives by mail", "Ask the help desk."]
    writer = ScriptedWriter({**GOOD, "hyde": texts})
    made = run("hyde", writer, passages=3)
    assert (writer.asked[0].n, writer.asked[0].temperature) == (3, 0.5)
    assert [query.text for query in made.queries[1:]] == [texts[0], texts[1], texts[3]]
    assert (made.combine["dense"], made.notes) == ("centroid", ())
    (note,) = run("hyde", writer, passages=8).notes
    assert note.startswith("3 of 8 passages")
    assert run("hyde", writer).notes == ()
    assert writer.asked[-1].temperature is None, "one alone keeps the prompt's own"


def test_a_passage_that_stands_for_surfaces_is_called_feedback():
    stored = Written("quoted", surface_ids=("d1#document#0",), weight=0.5, note="from d1")
    made = run("hyde", ScriptedWriter({**GOOD, "hyde": [stored]}))
    query = made.queries[1]
    assert (query.role, query.weight, query.surface_ids) == ("feedback", 0.5, ("d1#document#0",))
    assert made.notes == ("from d1",)


def test_decompose_leaves_a_simple_question_whole():
    made = run("decompose", ScriptedWriter({**GOOD, "decompose": ["what is a password"]}))
    assert [query.text for query in made.queries] == [QUERY]
    assert made.fallback_reason is None
    assert made.notes
    assert run("decompose").combine == {"dense": "round_robin", "lexical": "round_robin"}


def test_step_back_weight_is_the_settings_times_the_writers():
    made = run("step_back", ScriptedWriter({**GOOD, "step_back": [Written("security", weight=0.5)]}), weight=0.4)
    assert made.queries[1].weight == pytest.approx(0.2)
