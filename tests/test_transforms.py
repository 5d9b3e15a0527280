"""The contract every transform inherits, whoever writes; and what is particular to each."""

from __future__ import annotations

import threading

import pytest

from ir_core.errors import Cancelled, TaskUnsupported, WriterError
from ir_core.protocols import RunContext
from ir_core.schema import Formulation, Written
from ir_core.transforms import TRANSFORMS
from tests.scripted import GOOD, TASKS, ScriptedWriter

QUERY = "forgot my password"
NAMES = TRANSFORMS.names()
WRITING = [name for name in NAMES if TRANSFORMS.get(name).needs_writer]


class NoSearcher:
    steps = ()

    def search(self, queries, **options):
        raise AssertionError("this transform searches before writing")


def run(name: str, writer: ScriptedWriter | None = None, query: str = QUERY, history=(), **settings) -> Formulation:
    context = RunContext(writer=writer or ScriptedWriter(), searcher=NoSearcher())
    return TRANSFORMS.make(name, settings).formulate(query, history, context)


@pytest.mark.parametrize("name", NAMES)
def test_describes_itself(name):
    member = TRANSFORMS.get(name)
    assert member.label
    assert member.summary.endswith(".")
    assert member.reference or not member.needs_writer


@pytest.mark.parametrize("name", NAMES)
def test_records_the_original_and_never_a_blank_or_twice_the_same_id(name):
    made = run(name)
    assert made.original.text == QUERY
    assert made.transform == name
    assert made.queries
    assert all(query.text.strip() and query.weight > 0 and query.legs for query in made.queries)
    ids = [query.id for query in made.queries]
    assert len(set(ids)) == len(ids)
    assert made.seconds > 0
    assert len(made.calls) == (1 if TRANSFORMS.get(name).needs_writer else 0)
    assert not made.fallback_reason


@pytest.mark.parametrize("name", WRITING)
@pytest.mark.parametrize(
    "answer",
    [WriterError("The server said no."), [], ["", "  \n"], ValueError("a bug"), RuntimeError("key sk-secret")],
    ids=["refuses", "nothing", "blanks", "bug", "leaky bug"],
)
def test_a_writer_that_fails_leaves_the_original_and_says_so(name, answer):
    made = run(name, ScriptedWriter(dict.fromkeys(TASKS, answer)))
    assert [query.text for query in made.queries] == [QUERY]
    assert made.fallback_reason
    assert "sk-secret" not in made.fallback_reason


@pytest.mark.parametrize("name", WRITING)
def test_an_unsupported_task_is_said_plainly(name):
    made = run(name, ScriptedWriter(tasks=frozenset()))
    assert made.fallback_reason == str(TaskUnsupported("scripted", name))
    assert made.calls == ()


@pytest.mark.parametrize("name", WRITING)
def test_an_echo_is_not_searched_twice(name):
    made = run(name, ScriptedWriter({task: [QUERY.upper() + "?"] for task in TASKS}))
    assert [query.text for query in made.queries] == [QUERY]


@pytest.mark.parametrize("name", WRITING)
def test_ten_thousand_words_survive(name):
    made = run(name, ScriptedWriter({task: ["word " * 10_000] * 3 for task in TASKS}))
    assert made.queries


@pytest.mark.parametrize("name", NAMES)
def test_a_cancelled_run_asks_nobody(name):
    writer, cancel = ScriptedWriter(), threading.Event()
    cancel.set()
    context = RunContext(writer=writer, searcher=NoSearcher(), cancel=cancel)
    with pytest.raises(Cancelled):
        TRANSFORMS.make(name).formulate(QUERY, (), context)
    assert writer.asked == []


@pytest.mark.parametrize("name", WRITING)
def test_history_reaches_the_writer(name):
    writer = ScriptedWriter()
    run(name, writer, history=[{"role": "user", "content": "hello"}])
    assert writer.asked[0].history == ({"role": "user", "content": "hello"},)


@pytest.mark.parametrize("name", NAMES)
def test_the_history_was_seen_only_by_a_writer_that_reads_it(name):
    turns = [{"role": "user", "content": "hello"}]
    assert run(name, history=turns).saw_history is (TRANSFORMS.get(name).needs_writer or name == "joined_turns")
    assert not run(name).saw_history
    assert run(name, ScriptedWriter(reads_history=False), history=turns).saw_history is (name == "joined_turns")


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
