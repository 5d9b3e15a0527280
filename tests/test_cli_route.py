"""``query-prism route`` in this process, on a sample corpus and on files of queries."""

from __future__ import annotations

import json

import pytest

from ir_core.cli import main
from ir_core.router.deciders._weights import WEIGHTS

KEYS = {"query", "label", "decider", "reasons", "transform", "n_calls", "n_searches", "result"}
HELP = ("--corpus", "help_center", "--embedder", "hashing")


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    return tmp_path_factory.mktemp("route-home")


@pytest.fixture
def run(capsys, monkeypatch, kept):
    monkeypatch.setenv("QUERY_PRISM_HOME", str(kept))

    def go(*arguments):
        code = main(["route", *arguments, *HELP])
        return code, capsys.readouterr()

    return go


def test_one_query_is_one_object_and_its_result_that_of_compare(run, capsys):
    code, said = run("trash", "--json")
    assert code == 0, said.err
    found = json.loads(said.out)
    assert set(found) >= KEYS
    assert (found["query"], found["label"], found["decider"], found["transform"]) == (
        "trash", "ambiguous_short", "rules", "hyde",
    )  # fmt: skip
    assert found["n_calls"] == len(found["result"]["calls"]) == 1
    assert main(["compare", "trash", *HELP, "--transforms", "hyde", "--json"]) == 0
    alone = json.loads(capsys.readouterr().out)["results"][1]
    assert set(alone) == set(found["result"])
    assert alone["hits"] == found["result"]["hits"]


def test_a_file_is_a_list_in_its_order_with_each_querys_history(run, tmp_path):
    lines = tmp_path / "queries.txt"
    lines.write_text("trash\n\nthanks a lot!\n")
    code, said = run("--file", str(lines), "--json")
    assert code == 0, said.err
    assert [(one["query"], one["label"], one["transform"]) for one in json.loads(said.out)] == [
        ("trash", "ambiguous_short", "hyde"), ("thanks a lot!", "small_talk", "no_search"),
    ]  # fmt: skip
    records = tmp_path / "queries.jsonl"
    turns = [{"role": "user", "content": "How do I share a folder?"}, {"role": "assistant", "content": "By a link."}]
    records.write_text(json.dumps({"_id": "a", "text": "and who can open it?", "metadata": {"history": turns}}))
    code, said = run("--file", str(records), "--json")
    [found] = json.loads(said.out)
    assert (found["label"], found["then"] is not None) == ("follow_up", True)


def test_a_query_without_text_is_named_and_the_others_are_routed(run, tmp_path):
    records, lines = tmp_path / "rq.jsonl", tmp_path / "rq.txt"
    records.write_text('{"_id": "a", "text": "trash"}\n{"_id": "b", "text": " "}\n')
    code, said = run("--file", str(records), "--json")
    assert (code, [one["query"] for one in json.loads(said.out)]) == (0, ["trash"])
    assert "1 query without text was left out: 'b'.\n" in said.err
    lines.write_text("trash\n\n\u200b\n\ufeff\n")
    code, said = run("--file", str(lines))
    assert (code, said.out.splitlines()[-1]) == (0, "2 queries without text were left out: line 3, line 4.")
    lines.write_text("\u200b\n")
    code, said = run("--file", str(lines))
    assert (code, "no query with text in it (line 1)" in said.err) == (2, True)
    lines.write_bytes(bytes(range(256)) * 4)
    code, said = run("--file", str(lines))
    assert (code, "is not text" in said.err) == (2, True)


def test_the_text_says_label_route_and_weights(run):
    code, said = run("trash", "--table", "ambiguous_short=multi_query(n=2)", "--decider", "signal:threshold=1")
    assert code == 0, said.err
    assert "ambiguous_short -> multi_query (by signal; 1 call," in said.out
    assert f"+{WEIGHTS['short']['ambiguous_short']:g} ambiguous_short  only 1 word" in said.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "Give one QUERY"),
        (("trash", "--file", "x.txt"), "Give one QUERY"),
        (("--file", "nowhere.txt"), "cannot be read"),
        (("trash", "--table", "theirs"), "no route table named 'theirs'"),
        (("trash", "--table", "broad=hide"), "Did you mean 'hyde'"),
        (("trash", "--decider", "oracle"), "no decider named 'oracle'"),
        (("trash", "--decider", "signal:threshold=2"), "too high"),
        (("trash", "--decider", "signal:threshold"), "not key=value"),
        (("  ",), "empty"),
    ],
)
def test_bad_input_is_one_line_with_the_way_out(run, arguments, words):
    code, said = run(*arguments)
    assert code == 2
    assert words in said.err
    assert said.err.count("\n") == 1
