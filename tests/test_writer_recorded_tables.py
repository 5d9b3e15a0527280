"""Recordings that others made: plain lines and tables."""

from __future__ import annotations

import csv

import pytest

from ir_core.errors import WriterError
from ir_core.library import JudgedQuery
from ir_core.schema import Task
from ir_core.writers.recorded import RecordedWriter, RecordingWriter
from ir_core.writers.recorded.plain import without_repeats
from tests.scripted import ScriptedWriter
from tests.test_retrieval import engine  # noqa: F401  (a fixture)
from tests.test_writer_recorded import context_of, jsonl, texts

PLAIN = {
    "query and text": [{"query": "q1", "text": "a"}, {"query": "q2", "text": "b"}],
    "ids": [{"_id": "1", "text": "a"}, {"_id": "2", "text": "b"}],
    "whole number ids": [{"query_id": 1, "reformulation": "a"}, {"qid": 2, "texts": ["b"]}],
    "both": [{"_id": "1", "query": "q1", "text": "a"}, {"_id": "77", "query": "q2", "passages": ["b", ""]}],
    "QueryGym's": [{"qid": "1", "query": "q1 q1 q1 a"}, {"qid": "2", "query": "b"}],
}


@pytest.mark.parametrize("records", PLAIN.values(), ids=PLAIN)
def test_plain_json_lines(tmp_path, records):
    queries = [JudgedQuery("1", "q1"), JudgedQuery("2", "q2")]
    writer = RecordedWriter(jsonl(tmp_path / "p.jsonl", *records), task="rewrite", queries=queries)
    assert [texts(writer, query, "rewrite") for query in ("q1", "Q2  ")] == [["a"], ["b"]]
    assert writer.label == "recorded: p.jsonl"
    context = context_of(writer)
    context.write(Task("rewrite", "q1"))
    [call] = context.calls
    assert (call.first_s, call.tokens_in, call.tokens_out, call.cost_usd) == (None,) * 4


def test_the_label_names_model_and_date_as_far_as_they_are_known(tmp_path):
    one = {"query": "q", "text": "t", "model": "gpt-4.1"}
    path = jsonl(tmp_path / "p.jsonl", one, {**one, "query": "r", "date": "2025-05-02"})
    assert RecordedWriter(path, task="hyde").label == "recorded: gpt-4.1, 2025-05-02"
    assert RecordedWriter(path, task="hyde", date="2025-04-14").label == (
        "recorded: gpt-4.1, 2025-04-14 to 2025-05-02"
    )
    bare = jsonl(tmp_path / "b.jsonl", one)
    assert RecordedWriter(bare, task="hyde").label == "recorded: gpt-4.1, b.jsonl"


TEXT = 'say "reset", not C:\\reset\tor so'


def _library(path, rows) -> None:
    with open(path, "w", encoding="utf-8") as file:
        csv.writer(file, delimiter="\t").writerows(rows)


def _command_line(path, rows) -> None:
    with open(path, "w", encoding="utf-8") as file:
        csv.writer(file, delimiter="\t", quoting=csv.QUOTE_NONE, escapechar="\\").writerows(rows)


@pytest.mark.parametrize("write", [_library, _command_line])
@pytest.mark.parametrize("concat", [True, False])
def test_both_kinds_of_querygym_table_in_both_ways_of_quoting(tmp_path, write, concat):
    queries = [JudgedQuery("7", "how? why?"), JudgedQuery("8", "متى تفتح البوابة"), JudgedQuery("9", "gone")]
    rows = [["7", TEXT], ["8", "تفتح صباحًا"], ["9", "{}"]]
    if concat:
        rows = [[i, f"{' '.join([query.text] * 5)} {said}"] for (i, said), query in zip(rows, queries, strict=True)]
    else:
        rows = [["qid", "passage_1", "passage_2"], *([*row, "second"] for row in rows[:2]), [*rows[2], ""]]
    path = tmp_path / "reformulated.tsv"
    write(path, rows)
    writer = RecordedWriter(path, task="multi_query", queries=queries)
    extra = [] if concat else ["second"]
    said = " ".join(TEXT.split()) if concat else TEXT
    assert texts(writer, "how? why?", "multi_query", n=3) == [said, *extra]
    assert texts(writer, "متى تفتح البوابة", "multi_query", n=3) == ["تفتح صباحًا", *extra]
    with pytest.raises(WriterError, match="cannot be used"):
        texts(writer, "gone", "multi_query")


def test_a_table_of_ones_own_may_name_queries_by_text_and_hold_lone_quotes(tmp_path):
    path = tmp_path / "own.tsv"
    path.write_text('query\trewrite\tmodel\n"what is\tit means "this" here\tlab\nsecond\ttwo\tlab\n')
    writer = RecordedWriter(path, task="rewrite")
    assert texts(writer, '"what is', "rewrite") == ['it means "this" here']
    assert texts(writer, "second", "rewrite") == ["two"]
    assert writer.label == "recorded: lab, own.tsv"


@pytest.mark.parametrize(
    ("text", "kept"),
    [("q q q said", "said"), ("q q", ""), ("q said", "q said"), ("q", "q"), ("qq q said", "qq q said")],
)
def test_only_a_repeated_query_is_taken_off(text, kept):
    assert without_repeats(text, "q") == kept


def test_several_lines_of_a_query_are_its_texts_and_conversations_keep_apart(tmp_path):
    first = ({"role": "user", "content": "light pollution"},)
    other = ({"role": "user", "content": "noise"},)
    queries = [
        JudgedQuery("1", "name the sources", history=first),
        JudgedQuery("2", "Name the sources", history=other),
    ]
    path = jsonl(
        tmp_path / "p.jsonl",
        {"_id": "1", "text": "sources of light pollution"}, {"_id": "2", "text": "sources of noise"},
        {"_id": "1", "text": "what lights the sky"}, {"query": "alone", "text": "x"}, {"query": "alone", "text": "y"},
    )  # fmt: skip
    writer = RecordedWriter(path, task="multi_query", queries=queries)
    assert texts(writer, "name the sources", "multi_query", n=3, history=first) == [
        "sources of light pollution", "what lights the sky",
    ]  # fmt: skip
    assert texts(writer, "name the sources", "multi_query", n=3, history=other) == ["sources of noise"]
    with pytest.raises(WriterError, match="only in another conversation"):
        texts(writer, "name the sources", "multi_query")
    assert texts(writer, "alone", "multi_query", n=3, history=first) == ["x", "y"]
    assert texts(writer, "alone", "multi_query", n=1) == ["x"]


def test_of_several_recordings_the_one_under_the_same_conditions_counts_then_the_newest(tmp_path):
    path = tmp_path / "r.jsonl"
    for text, more in (("five", {"n": 5}), ("old", {"n": 3}), ("new", {"n": 3}), ("seeded", {"n": 3, "seed": 9})):
        texts(RecordingWriter(ScriptedWriter({"multi_query": [text]}), path), "q", "multi_query", **more)
    writer = RecordedWriter(path)
    assert texts(writer, "q", "multi_query", n=3) == ["new"]
    assert texts(writer, "q", "multi_query", n=3, seed=9) == ["seeded"]
    assert texts(writer, "q", "multi_query", n=5) == ["five"]
    assert texts(writer, "q", "multi_query", n=4) == ["five"], "more can be cut, fewer not made up"
