"""``query-prism find`` in this process, on a corpus that is a folder."""

from __future__ import annotations

import json

import pytest

from ir_core.cli import main


@pytest.fixture
def folder(tmp_path):
    for number in range(12):
        (tmp_path / f"note-{number:02d}.md").write_text(f"# Note {number}\n\nReset the password, case {number}.\n")
    (tmp_path / "zebra.md").write_text("# Zebra\n\nThe yearly census counts every stripe.\n")
    (tmp_path / "empty.md").write_text("")
    return tmp_path


def run(capsys, folder, document, *more):
    options = ("--corpus", str(folder), "--embedder", "hashing", "--transforms", "multi_query", *more)
    code = main(["find", "reset the password", document, *options])
    return code, capsys.readouterr()


def test_verdicts_come_first_then_stages_and_what_would_have_to_change(capsys, folder):
    code, said = run(capsys, folder, "zebra.md", "--k", "3")
    assert code == 0, said.err
    out = said.out
    assert out.index("Original") < out.index("== Original")
    assert "ok    loaded: yes" in out
    assert "No query holds one of its words except common ones" in out
    assert "Raise k from 3 to " in out


def test_json_holds_the_whole_document_and_the_config(capsys, folder):
    code, said = run(capsys, folder, "Note 3", "--json")
    assert code == 0, said.err
    found = json.loads(said.out)
    document = found["document"]
    assert document["status"] == "indexed"
    assert [row["transform"] for row in document["transforms"]] == ["identity", "multi_query"]
    for row in document["transforms"]:
        for place in row["places"]:
            assert place["rank"] is None or 1 <= place["rank"] <= place["of"]
    assert found["config"]["corpus"] == str(folder)


@pytest.mark.parametrize(
    ("name", "reason"),
    [("zebr", "Did you mean zebra.md"), ("empty.md", "could not be loaded: it is empty (0 bytes)")],
)
def test_what_is_not_there_is_an_answer(capsys, folder, name, reason):
    code, said = run(capsys, folder, name)
    assert code == 0, said.err
    assert reason in said.out
    assert "==" not in said.out


@pytest.mark.parametrize("name", ["", "  "])
def test_a_document_without_a_name_is_refused(capsys, folder, name):
    code, said = run(capsys, folder, name)
    assert (code, said.out) == (2, "")
    assert said.err.splitlines()[-1].startswith("error: DOCUMENT is blank.")


def test_a_transform_that_is_named_twice_is_said_to_be_one_column(capsys, folder):
    code, said = run(capsys, folder, "zebra.md", "--transforms", "hyde,rewrite,hypothetical_document")
    assert code == 0, said.err
    assert "hyde is named 2 times; with the same settings it is one column." in said.err
    assert said.out.count("\n== ") == 3
    assert "times" not in run(capsys, folder, "zebra.md", "--transforms", "hyde,rewrite")[1].err


def test_a_bad_option_is_one_line(capsys, folder):
    code, said = run(capsys, folder, "zebra.md", "--mode", "psychic")
    assert code == 2
    assert "psychic" in said.err
