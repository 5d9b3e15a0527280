"""Condense: who is asked when, small talk, and what the writer with no LLM carries over."""

from __future__ import annotations

import pytest

from ir_core import library
from ir_core.library import samples
from ir_core.schema import AUTHORED, NO_LLM
from ir_core.transforms._small_talk import is_small_talk
from ir_core.writers import CorpusWriter, with_authored
from tests.scripted import GOOD, ScriptedWriter
from tests.transforming import HISTORY, engine, run

TURNS = (
    {"role": "user", "content": "How is a file restored from the bin?"},
    {"role": "assistant", "content": "Open it."},
)


def test_the_condensed_query_replaces_the_follow_up():
    made = run("condense")
    assert [(query.role, query.text) for query in made.queries] == [("condensed", GOOD["condense"][0])]
    assert made.saw_history


@pytest.mark.parametrize("history", [(), ({"role": "user", "content": "  "},)], ids=["none", "blank"])
def test_without_a_conversation_nobody_is_asked_and_the_card_says_why(history):
    writer = ScriptedWriter()
    made = run("condense", writer, history=history)
    assert (made.searches_original, made.skip_reason, writer.asked) == (True, None, [])
    assert made.notes == ("Nothing was said before it, so it is searched as it is.",)


def test_a_query_that_stands_alone_is_left_as_it_is():
    made = run("condense", ScriptedWriter({**GOOD, "condense": ["Forgot my password?"]}))
    assert made.queries == (made.original,)
    assert made.notes == ("It can be understood without what was said before.",)


@pytest.mark.parametrize(
    "text", ["thanks!", "Hello", "ok got it, bye for now", "شكراً جزيلاً", "مرحبا، كيف حالك؟", "you’re a star"]
)
def test_small_talk_is_not_searched_and_asks_nobody(text):
    writer = ScriptedWriter()
    made = run("condense", writer, text, HISTORY)
    assert made.skip_reason
    assert writer.asked == []


@pytest.mark.parametrize(
    "text",
    [
        "thanks, and how do I undo it?",
        "fine",
        "no",
        "hello world program",
        "good night story",
        "شكرا، وكيف أحذفه؟",
        "📚",
        "",
    ],
)
def test_what_asks_for_something_is_no_small_talk(text):
    assert not is_small_talk(text)


@pytest.mark.parametrize("name", samples.names())
def test_the_samples_small_talk_is_told_from_all_their_other_queries(name):
    for query in library.corpus(name).queries():
        assert is_small_talk(query.text) is (query.category == "small_talk"), query.text


def test_with_no_llm_words_of_the_last_turns_are_carried_over_and_called_so():
    made = run("condense", CorpusWriter(engine().index), "how long?", TURNS)
    (query,) = made.queries
    assert made.title == "Carried-over words, in place of condense"
    assert query.text == "how long? (file, restored, bin)"
    assert query.term_weights == {"how": 1, "long": 1, "file": 0.5, "restored": 0.5, "bin": 0.5}
    assert made.saw_history
    assert made.written_by == "corpus"
    assert not run("rewrite", CorpusWriter(engine().index), history=TURNS).saw_history, "for that task only"


def test_with_no_llm_a_query_that_says_enough_carries_nothing():
    made = run("condense", CorpusWriter(engine().index), "unlock a locked account as owner", TURNS)
    assert made.queries == (made.original,)
    assert made.notes == ("it says enough to stand alone",)


def test_a_samples_follow_up_has_its_authored_text():
    (one, *_) = [item for item in library.corpus("help_center").authored() if "condense" in item.texts]
    writer = with_authored(CorpusWriter(engine().index), [one], one.query, one.history)
    made = run("condense", writer, one.query, one.history)
    assert [query.text for query in made.queries] == list(one.texts["condense"])
    assert (made.written_by, made.title, made.saw_history) == ("authored", "Condense", True)
    assert {call.model for call in made.calls} == {AUTHORED}
    other = run("keywords", writer, one.query, one.history)
    assert ({call.model for call in other.calls}, other.saw_history) == ({NO_LLM}, False)
