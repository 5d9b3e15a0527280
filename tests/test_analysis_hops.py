"""The hops read back from a result that was really searched."""

from __future__ import annotations

from ir_core.analysis.hops import MOST_CHARS, chain_of
from ir_core.errors import WriterError
from ir_core.retrieval import SearchSettings, search
from ir_core.schema import Query, Ranking, Step, Taken
from ir_core.writers import open_writer
from tests.made_results import hit, result
from tests.scripted import GOOD, ScriptedWriter
from tests.transforming import TEXTS, engine, run

PLAN = ["who owns the workspace", "what may #1 do", "where is #2"]


def searched(name: str, writer=None, **settings):
    return search(engine(), run(name, writer, **settings), SearchSettings(k=3))


def test_each_hop_has_its_question_its_hits_and_what_was_taken_into_the_next():
    chain = chain_of(searched("sequential", ScriptedWriter({**GOOD, "plan_hops": PLAN[:2]})))
    first, second = chain.hops
    (asked,) = first.asked
    assert (asked.query.text, asked.planned, len(asked.hits)) == (PLAN[0], None, 3)
    (found,) = first.found
    assert (found.text, found.title, found.into) == ("Ada Marsh", "owner", ("hop-2",))
    assert found.passage == TEXTS["owner"].split(". ")[0] + "."
    (asked,) = second.asked
    assert (asked.query.text, asked.planned) == ("what may Ada Marsh do", "what may #1 do")
    assert [one.rank for one in asked.hits] == [1, 2, 3]
    assert (second.found, chain.stopped, chain.unasked, chain.is_bridge) == ((), None, (), False)


def test_a_chain_that_stopped_says_why_and_what_was_never_asked():
    chain = chain_of(searched("sequential", ScriptedWriter({**GOOD, "plan_hops": PLAN, "extract_answer": ["Bo"]})))
    assert [hop.number for hop in chain.hops] == [1]
    assert chain.stopped.startswith("Stopped before hop 2: it refers to #1, but its answer “Bo” stands in none")
    assert chain.unasked == ("what may #1 do", "where is #2")


def test_an_answer_nobody_used_is_still_shown():
    plan = ["who owns the workspace", "forgot my password", "what may #1 do"]
    chain = chain_of(searched("sequential", ScriptedWriter({**GOOD, "plan_hops": plan})))
    assert [(one.text, one.into) for one in chain.hops[0].found] == [("Ada Marsh", ())]
    assert "repeats the original" in chain.stopped


def test_bridge_queries_start_from_the_question_itself():
    writer = open_writer("corpus", index=engine().index)
    chain = chain_of(
        searched("sequential", writer, query="how many gigabytes has the workspace that Ada Marsh owns", bridges=2)
    )
    first, second = chain.hops
    assert chain.is_bridge
    assert [asked.query.id for asked in first.asked] == ["original"]
    assert [asked.query.id for asked in second.asked] == ["bridge-1", "bridge-2"]
    assert [one.into for one in first.found] == [("bridge-1",), ("bridge-2",)]
    assert all(one.passage.startswith(one.text) and one.title in TEXTS for one in first.found)
    assert all(asked.hits for asked in second.asked)


def test_without_hops_there_is_none_or_the_reason():
    assert chain_of(searched("identity")) is None
    assert chain_of(searched("decompose")) is None
    whole = chain_of(searched("sequential", ScriptedWriter({**GOOD, "plan_hops": ["one question"]})))
    assert (whole.hops, whole.stopped) == ((), "One question; left whole.")
    failed = chain_of(searched("sequential", ScriptedWriter({**GOOD, "plan_hops": WriterError("Gone.")})))
    assert (failed.hops, failed.stopped) == ((), "Gone.")


def test_a_passage_without_an_end_is_cut():
    step = Step(
        "hop 1",
        (Query("original", "the query"),),
        (Ranking("original", "fused", (hit("a", 1, text="word " * 1_000),)),),
        taken=(Taken("word", "a#document#0", "bridge-1"), Taken("gone", "z#document#0", "bridge-1")),
    )
    queries = (Query("original", "the query"), Query("bridge-1", "word more", "bridge", hop=2))
    (found,) = chain_of(result(["a"], transform="sequential", queries=queries, steps=(step,))).hops[0].found
    assert len(found.passage) == MOST_CHARS
