"""``query-prism health`` with other queries than the corpus' own, which plain files do not have."""

from __future__ import annotations

import json

import pytest

from ir_core.cli import main
from ir_core.cli._tables import table

N = 40
NEED_QUERIES = ("hubs", "unreached")


@pytest.fixture
def files(tmp_path):
    """Documents of one word each that is their own, and one that is full of every other's; a query for each word."""
    folder = tmp_path / "notes"
    folder.mkdir()
    words = [f"{a}{b}lo" for a in "bdfgkmpr" for b in "aeiou"]
    for number, word in enumerate(words):
        (folder / f"{number}.txt").write_text(f"A note about {word}, and of {word} again: chapter {number}.")
    (folder / "all.txt").write_text(" ".join(words))
    asked = tmp_path / "asked.csv"
    lines = [f"q{number},what is {word},{number}.txt" for number, word in enumerate(words)]
    asked.write_text("\n".join(["id,text,documents", *lines]))
    return folder, asked


def look(capsys, *arguments):
    code = main(["health", "--embedder", "hashing", *map(str, arguments), "--json"])
    said = capsys.readouterr()
    assert code == 0, said.err
    data = json.loads(said.out)
    return data, {one["name"]: one for one in data["findings"]}


def test_a_file_of_queries_brings_hubs_and_what_is_never_reached_within_reach(files, capsys):
    folder, asked = files
    data, found = look(capsys, "--corpus", folder)
    assert [found[name]["status"] for name in NEED_QUERIES] == ["unmeasured"] * 2
    assert data["queries"] == {}
    data, found = look(capsys, "--corpus", folder, "--queries", asked)
    assert [found[name]["status"] for name in NEED_QUERIES] == ["found", "clear"]
    assert ["all.txt"] in [one["ids"] for one in found["hubs"]["examples"]]
    assert data["queries"]["file"] == str(asked)


def test_what_is_said_where_there_are_no_queries_works(files, capsys, tmp_path):
    folder, _ = files
    texts = {path.name: path.read_text() for path in sorted(folder.iterdir())}
    said = look(capsys, "--corpus", folder)[1]["hubs"]["said"]
    assert "(corpus.jsonl, queries.jsonl, qrels/test.tsv)" in said
    assert "query-prism health --queries FILE --qrels FILE" in said
    beir = tmp_path / "beir"
    (beir / "qrels").mkdir(parents=True)
    words = {name: text.split()[3].rstrip(",") for name, text in texts.items() if name != "all.txt"}
    lines = {
        "corpus.jsonl": [json.dumps({"_id": name, "title": "", "text": text}) for name, text in texts.items()],
        "queries.jsonl": [
            json.dumps({"_id": f"q{n}", "text": f"what is {word}"}) for n, word in enumerate(words.values())
        ],
        "qrels/test.tsv": ["query-id\tcorpus-id\tscore", *(f"q{n}\t{name}\t1" for n, name in enumerate(words))],
    }
    for name, some in lines.items():
        (beir / name).write_text("\n".join(some))
    by_file = ["--corpus", folder, "--queries", beir / "queries.jsonl", "--qrels", beir / "qrels" / "test.tsv"]
    for arguments in (["--corpus", beir], by_file):
        found = look(capsys, *arguments)[1]
        assert [found[name]["status"] for name in NEED_QUERIES] == ["found", "clear"]


def test_a_set_that_was_added_is_named(files, capsys):
    folder, asked = files
    where = ["--corpus", str(folder)]
    assert main(["sets", *where, "--queries", str(asked), "--title", "Asked", "--json"]) == 0
    name = json.loads(capsys.readouterr().out)["added"]
    assert look(capsys, *where, "--query-set", name)[1]["hubs"]["status"] == "found"
    assert main(["health", *where, "--embedder", "hashing", "--query-set", "nope"]) == 2
    assert "nope" in capsys.readouterr().err


def test_without_a_terminal_nothing_of_a_table_is_cut(monkeypatch):
    long = "judged by mean word overlap " * 9
    monkeypatch.setenv("COLUMNS", "60")
    assert table(["name", "from"], [["set", long]]).endswith("…")
    monkeypatch.delenv("COLUMNS")
    monkeypatch.setattr("sys.__stdout__", None)
    assert table(["name", "from"], [["set", long]]).endswith(long.strip())
