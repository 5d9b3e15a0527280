"""Chain: each step on all the step before made; what a failing step leaves; what its text may hold."""

from __future__ import annotations

import re

import pytest

from ir_core.budget import Cap, Purse, capped, is_cap
from ir_core.errors import BadSetting, WriterError
from ir_core.schema import Written
from ir_core.transforms import TRANSFORMS
from ir_core.writers import CorpusWriter
from tests.scripted import GOOD, TASKS, ScriptedWriter
from tests.transforming import HISTORY, QUERY, engine, run


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
    assert made.fallback_reason is None, "what it made is searched"
    assert made.notes[-1].startswith(f"One step was left out: The server said no. (Step {number}, ")
    left = {"condense": ["original", "hypothetical-1"], "hyde": ["condensed"]}[failing]
    assert [query.id for query in made.queries] == left
    assert made.original.text == QUERY


def test_where_no_step_made_anything_it_is_a_fallback():
    no = WriterError("The server said no.")
    made = chain("rewrite > hyde", ScriptedWriter({**GOOD, "rewrite": no, "hyde": no}))
    assert made.fallback_reason == "The server said no. (Step 1, Rewrite.) The server said no. (Step 2, HyDE.)"
    assert made.queries == (made.original,)
    assert not any("left out" in note for note in made.notes)


def test_a_step_that_failed_on_some_queries_says_on_how_many():
    def only_the_original(task):
        if task.query != QUERY:
            raise WriterError("Too long.")
        return GOOD["hyde"]

    made = chain("multi_query(n=3) > hyde", ScriptedWriter({**GOOD, "hyde": only_the_original}))
    assert made.notes[-1] == "One step was left out: Too long. (Step 2, HyDE, for 3 of 4 queries.)"
    assert made.fallback_reason is None


def test_a_cap_that_stopped_it_is_told_from_a_failure():
    made = chain("rewrite > hyde", capped(ScriptedWriter(), Purse(Cap(max_calls=1))))
    assert is_cap(made.fallback_reason), "an evaluation leaves such a query out"
    assert [query.id for query in made.queries] == ["rewrite"]


ASKED = "gigabytes that the workspace of Ada Marsh has, and who owns it?"


@pytest.mark.parametrize(
    ("steps", "texts"),
    [
        ("multi_query > hyde", {"original", "variant-1", "variant-2", "variant-3"}),
        ("sequential > hyde > grounded", {"original", "bridge-1", "bridge-2", "bridge-3"}),
        ("rm3 > rocchio", {"original"}),
    ],
)
def test_each_step_searches_for_each_text_on_its_own_account(steps, texts):
    made = chain(steps, CorpusWriter(engine().index), query=ASKED)
    assert made.fallback_reason is None
    assert not any("left out: " in note for note in made.notes)
    searched = [query.id for step in made.steps for query in step.queries]
    assert len(searched) == len(made.steps) > 1
    assert set(searched) == texts, "under the names that the chain gave them"


def test_what_was_taken_from_a_hit_names_the_chains_queries():
    made = chain("multi_query(n=1) > sequential(bridges=2)", CorpusWriter(engine().index), query=ASKED)
    into = [taken.into for step in made.steps for taken in step.taken]
    bridges = [query.id for query in made.queries if query.role == "bridge"]
    assert into == bridges == ["bridge-1", "bridge-2", "bridge-3", "bridge-4"]


@pytest.mark.parametrize(
    ("steps", "settings"),
    [
        ('you(kind=variants, text="one, two > three")', {"kind": "variants", "text": "one, two > three"}),
        ("you(text='a (b) c', kind=passage)", {"kind": "passage", "text": "a (b) c"}),
        ("you(text=don't > do) > hyde", {"kind": "rewrite", "text": "don't > do"}),
        ('you(text=say "no")', {"kind": "rewrite", "text": 'say "no"'}),
    ],
)
def test_a_setting_may_hold_the_marks_of_a_chain(steps, settings):
    you = TRANSFORMS.make("chain", {"steps": steps}).parsed[0]
    assert {"kind": you.kind, "text": you.text} == settings


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
        ("you(text=one, two)", "a text with commas in quotes"),
    ],
)  # fmt: skip
def test_a_chain_that_cannot_be_read_says_what_is_wrong(steps, said):
    with pytest.raises(BadSetting, match=re.escape(said)):
        TRANSFORMS.make("chain", {"steps": steps})


@pytest.mark.parametrize("steps", ["x" * 20_000, f"you(kind={'x' * 20_000})", f"hyde({'x' * 20_000}=1)"])
def test_an_error_says_the_way_out_and_not_all_that_was_typed(steps):
    with pytest.raises(BadSetting) as caught:
        TRANSFORMS.make("chain", {"steps": steps})
    assert len(str(caught.value)) < 800
    assert "x" * 50 in str(caught.value)
