"""Labels people give: kept by corpus, corrected in place, bounded, and what teaches the examples decider."""

from __future__ import annotations

import sys

import pytest

from ir_core.config import home
from ir_core.errors import BadInput
from ir_core.library import JudgedQuery
from ir_core.retrieval import SearchSettings
from ir_core.router import DECIDERS, Context, Labelled, forget_labels, labelled, own_labels, save_label
from tests.scripted import ScriptedWriter
from tests.transforming import engine


def test_a_label_is_kept_with_its_corpus_and_corrected_in_place():
    save_label("help", "what  is a\nquota", "simple")
    save_label("help", "hello", "small_talk")
    save_label("help", "what is a quota", "broad")
    assert own_labels("help") == (Labelled("hello", "small_talk"), Labelled("what is a quota", "broad"))
    assert own_labels("other") == ()
    forget_labels("help")
    assert own_labels("help") == ()


def test_the_oldest_make_room(monkeypatch):
    monkeypatch.setattr(sys.modules["ir_core.router.saved_labels"], "MOST_LABELS", 3)
    for number in range(5):
        save_label("help", f"query {number}", "simple")
    assert [one.text for one in own_labels("help")] == ["query 2", "query 3", "query 4"]


@pytest.mark.parametrize(("text", "label"), [("quota", "brod"), (" \n", "broad"), ("x" * 2_001, "broad")])
def test_what_is_no_label_or_no_query_is_refused(text, label):
    with pytest.raises(BadInput):
        save_label("help", text, label)


def test_a_damaged_file_is_none():
    save_label("help", "quota", "broad")
    (home() / "labels" / "help.json").write_text("[[1]]")
    assert own_labels("help") == ()


def test_only_labelled_queries_of_the_split_are_examples():
    queries = [
        JudgedQuery("a", "one", "broad", split="tune"), JudgedQuery("b", "two", "broad"),
        JudgedQuery("c", "three", "odd", split="tune"), JudgedQuery("d", "four", None, split="tune"),
    ]  # fmt: skip
    assert labelled(queries) == (Labelled("one", "broad"),)


def test_ones_own_label_teaches_the_examples_decider():
    save_label("help", "forgot the password again", "narrow_technical")
    context = Context(engine(), ScriptedWriter(), SearchSettings(k=3), own_labels("help"))
    assert DECIDERS.make("examples").decide("forgot the password", (), context).label == "narrow_technical"
