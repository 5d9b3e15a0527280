"""What a run sends, and where to: one true sentence for each host."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ir_core.budget import Sent, by_host, in_sentences
from ir_core.evaluation import Judge, JudgePlan, estimate_run
from ir_core.evaluation.judge_estimate import estimate_judge
from ir_core.library import JudgedQuery
from ir_core.writers.llm import LlmWriter
from tests.test_retrieval import engine  # noqa: F401  (a fixture)

HERE = "127.0.0.1:1234"
TURNS = ({"role": "user", "content": "tell me about Atlas"},) * 2
ALONE = [JudgedQuery(f"q{number}", "reset my password") for number in range(50)]
FOLLOW_UP = [*ALONE, replace(ALONE[0], id="f", text="and how", history=TURNS)]
"""The one query with earlier turns is the last, and no step of a sample has to meet it."""


def writer():
    return LlmWriter("openai/m", api_base=f"http://{HERE}/v1")


@pytest.mark.parametrize(
    ("transform", "queries", "sent"),
    [
        ("query2doc", ALONE, Sent(HERE)),
        ("query2doc", FOLLOW_UP, Sent(HERE, turns=True)),
        ("csqe", ALONE, Sent(HERE, passages=True)),
        ("condense", ALONE, None),
        ("condense", FOLLOW_UP, Sent(HERE, turns=True)),
        ("joined_turns", FOLLOW_UP, None),
    ],
)
def test_a_run_says_of_the_whole_set_what_its_transforms_send(transform, queries, sent):
    found = estimate_run([(transform, {})], writer(), queries)
    assert found.sent == sent
    assert found.leaves == in_sentences([sent])
    assert "Your query" not in " ".join(found.leaves)


def test_a_judge_at_the_same_host_is_told_in_the_same_sentence(engine):  # noqa: F811
    known = [replace(query, answers=("a link",)) for query in FOLLOW_UP]
    rated = estimate_judge(Judge(writer(), JudgePlan(reference=True)), known, 2, engine.index)
    written = estimate_run([("query2doc", {})], writer(), known)
    (said,) = in_sentences([written.sent, rated.sent])
    assert said == (
        f"The queries, their earlier turns, the known answers and the passages found go to {HERE}, a server on this "
        "machine; no file path, no dependency and no filter field."
    )


def test_two_hosts_have_a_sentence_each_and_none_denies_the_other():
    said = in_sentences([Sent("one.test"), Sent("two.test", passages=True), Sent("one.test", turns=True), None])
    assert said == (
        "The queries and their earlier turns go to one.test, and nothing of the documents: no text, no file path, no "
        "dependency and no filter field.",
        "The queries and the passages found go to two.test; no file path, no dependency and no filter field.",
    )
    assert in_sentences([None]) == ("Nothing leaves this machine.",)
    assert by_host([None]) == []
