"""eval_transform: three figures of any function of the lecture, None where something was not measured."""

from __future__ import annotations

import time

import pytest

from ir_core.api import course, lecture
from ir_core.errors import BadInput
from tests.api_parts import Model, tiny_engine

SET = [
    {"query": "reset a forgotten password", "relevant": ["password"], "answers": ["sign-in page"]},
    {"query": "who may share a folder", "relevant": {"guests": 2, "upload": 1}, "answers": "guests"},
    {"query": "hello"},
]


@pytest.fixture
def engine(home):
    return tiny_engine(home)


def test_recall_and_time_of_a_function_that_returns_hits(engine):
    plain = lecture.route_transform
    found = lecture.eval_transform("plain", plain, SET, corpus=engine)
    assert set(found) == {"name", "recall@10", "answer_acc", "extra_latency_ms"}
    assert found["name"] == "plain"
    assert found["recall@10"] == 1.0, "over the two that have relevant documents"
    assert found["answer_acc"] is None

    def slow(query, corpus):
        time.sleep(0.5)
        return lecture.route_transform(query, corpus=corpus, qtype="simple")

    assert lecture.eval_transform("slow", slow, SET, corpus=engine)["extra_latency_ms"] > 250


@pytest.mark.parametrize(
    ("fn", "recall"),
    [
        (lambda query: "any text finds all five", 1.0),
        (lambda query: ["forgotten password", "guests upload"], 1.0),
        (lambda query: [], 0.0),
        (lambda query, corpus: course.query(query, config="bm25_only", corpus=corpus, top_k=1), (1 + 1 / 2) / 2),
        (lambda query, corpus: {"a": lecture.route_transform(query, corpus=corpus)}, 1.0),
    ],
)
def test_texts_are_searched_with_and_evidence_is_joined(engine, fn, recall):
    assert lecture.eval_transform("x", fn, SET, corpus=engine)["recall@10"] == recall


def test_an_answerer_is_scored_against_the_known_answers(engine):
    model = Model("From the sign-in page.")
    found = lecture.eval_transform("plain", lecture.route_transform, SET, corpus=engine, answerer=model)
    assert found["answer_acc"] == 0.5
    assert len(model.prompts) == 2, "the third has no known answer"
    assert "Reset a forgotten password" in model.prompts[0]
    failing = Model(RuntimeError("down"))
    assert lecture.eval_transform("x", lecture.hyde, SET, corpus=engine, answerer=failing)["answer_acc"] is None


def test_history_reaches_a_function_that_asks_for_it(engine):
    seen = []

    def fn(query, history):
        seen.append(tuple(turn["content"] for turn in history))
        return query

    item = {"query": "and for guests", "relevant": "guests", "history": [{"role": "user", "content": "sharing"}]}
    lecture.eval_transform("x", fn, [item], corpus=engine)
    assert seen == [("sharing",)]


@pytest.mark.parametrize(("eval_set", "said"), [([], "empty"), ([{"question": "x"}], "Item 1"), (["x"], "Item 1")])
def test_a_set_that_is_none_says_how_to_write_one(engine, eval_set, said):
    with pytest.raises(BadInput, match=said):
        lecture.eval_transform("x", lecture.hyde, eval_set, corpus=engine)
    with pytest.raises(BadInput, match="neither hits nor texts"):
        lecture.eval_transform("x", lambda query: [1], SET, corpus=engine)
