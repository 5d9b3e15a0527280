"""Chain: each step on all the step before made; what a failing step leaves; what its text may hold."""

from __future__ import annotations

import re

import pytest

from ir_core.errors import BadSetting, WriterError
from ir_core.schema import Written
from ir_core.transforms import TRANSFORMS
from tests.scripted import GOOD, TASKS, ScriptedWriter
from tests.transforming import HISTORY, QUERY, run


def chain(steps: str, writer=None, **options):
    return run("chain", writer, steps=steps, **options)


def test_the_next_step_works_on_what_the_one_before_made():
    writer = ScriptedWriter()
    made = chain("condense > hyde", writer, history=HISTORY)
    assert [(task.name, task.query) for task in writer.asked] == [("condense", QUERY), ("hyde", GOOD["condense"][0])]
    assert [task.history for task in writer.asked] == [HISTORY, ()], "the condensed query needs it no more"
    assert [(query.id, query.parent, query.legs) for query in made.queries] == [
        ("condensed", "original", ("dense", "lexical")),
        ("hypothetical-1", "condensed", ("dense",)),
    ]
    assert made.combine == {"dense": "centroid", "lexical": "rrf"}
    assert (made.title, made.saw_history) == ("Chain: Condense → HyDE", True)
    assert [call.task for call in made.calls] == ["condense", "hyde"]


def test_weights_multiply_ids_stay_unique_and_passages_pass_through():
    writer = ScriptedWriter({**GOOD, "hyde": lambda task: [Written(f"about {task.query}", weight=0.5)]})
    made = chain("step_back(weight=0.4) > hyde > multi_query(n=1, original_weight=2)", writer)
    weights = {query.id: query.weight for query in made.queries}
    assert weights == pytest.approx(
        {
            "original": 2,
            "variant-1": 1,
            "hypothetical-1": 0.5,
            "step-back": 0.8,
            "variant-2": 0.4,
            "hypothetical-2": 0.2,
        }
    )
    assert sum(task.name == "multi_query" for task in writer.asked) == 2, "of two queries, and of no passage"


def test_a_mean_vector_does_not_swallow_sub_questions():
    assert chain("decompose > hyde").combine["dense"] == "round_robin"


@pytest.mark.parametrize("failing", ["condense", "hyde"])
def test_a_failing_step_leaves_the_query_as_it_was_before_it(failing):
    writer = ScriptedWriter({**GOOD, failing: WriterError("The server said no.")})
    made = chain("condense > hyde", writer, history=HISTORY)
    number = 1 if failing == "condense" else 2
    assert made.fallback_reason.startswith("The server said no. (Step ")
    assert f"Step {number}," in made.fallback_reason
    left = {"condense": ["original", "hypothetical-1"], "hyde": ["condensed"]}[failing]
    assert [query.id for query in made.queries] == left
    assert made.original.text == QUERY


def test_at_most_eight_queries_and_the_rest_is_counted():
    writer = ScriptedWriter({**GOOD, "multi_query": lambda task: [f"{task.query} {i}" for i in range(task.n)]})
    made = chain("multi_query(n=3) > multi_query(n=3) > multi_query(n=1)", writer)
    assert len(made.queries) == 8
    assert [note.partition(": ")[2] for note in made.notes] == ["8 more queries are left out, 8 are the most."] * 2
    assert sum(task.n == 1 for task in writer.asked) == 8, "no more are worked on"


def test_all_that_may_be_asked_is_told_before():
    for steps in ("condense > hyde", "rewrite > step_back > hyde", "multi_query(n=3) > hyde", "decompose > rewrite"):
        writer = ScriptedWriter()
        chain(steps, writer, history=HISTORY)
        asked = [task.name for task in writer.asked]
        told = [task.name for task in TRANSFORMS.make("chain", {"steps": steps}).tasks(QUERY, HISTORY)]
        assert all(asked.count(name) <= told.count(name) for name in TASKS), (steps, asked, told)


def test_small_talk_stops_it():
    made = chain("condense > hyde", query="thanks!", history=HISTORY)
    assert made.skip_reason
    assert made.calls == ()


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ("", "has no step"),
        ("condense >", "Step 2 of the chain is empty"),
        ("nope", "Step 1 of the chain: There is no transform named 'nope'"),
        ("rewrite > chain", "Step 2 of the chain is a chain itself"),
        ("multi_query(n=99)", "n = 99 is too high"),
        ("multi_query(five)", "'five' is no setting"),
        ("multi_query(n=2", "which is no name"),
        ("rewrite > " * 5 + "rewrite", "6 steps; 5 are the most"),
    ],
)  # fmt: skip
def test_a_chain_that_cannot_be_read_says_what_is_wrong(steps, said):
    with pytest.raises(BadSetting, match=re.escape(said)):
        TRANSFORMS.make("chain", {"steps": steps})
