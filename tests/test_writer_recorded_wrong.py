"""Recordings that cannot be read or replayed."""

from __future__ import annotations

import json
import os
import sys

import pytest

from ir_core.cli import main
from ir_core.errors import BadInput, BadSetting, BadSource, UnknownName, WriterError
from ir_core.library import JudgedQuery
from ir_core.schema import Written
from ir_core.writers import open_writer
from ir_core.writers.recorded import RecordedWriter, RecordingWriter
from tests.scripted import ScriptedWriter
from tests.test_retrieval import engine  # noqa: F401  (a fixture)
from tests.test_writer_recorded import jsonl, texts

WRONG = {
    "empty": ("", "is empty"),
    "blank": (" \n\n", "is empty"),
    "no json": ('{"query": "q", "text": "t"}\n{"query": "q"', "line 2: it is neither JSON"),
    "prose": ("How do I reset it?", "line 1: it is neither JSON"),
    "a list": ('["q", "t"]', "line 1: it is not a JSON object"),
    "no text": ('\n{"query": "q", "said": 1}', "line 2: it has no text"),
    "no query": ('{"text": "t"}', "line 1: it names no query"),
    "text of a wrong type": ('{"query": "q", "text": {"a": 1}}', "line 1: text is neither"),
    "one column": ("7\ta text\nlost\n", "line 2: it has no tab"),
    "a later version": ('{"recording": 2, "task": "hyde"}', "line 1: the recording has version 2"),
    "no task": ('{"recording": 1, "query": "q"}', "line 1: a recording needs a task"),
    "a text that is a number": ('{"recording": 1, "task": "hyde", "query": "q", "texts": [4]}', "of type int"),
    "tokens in words": (
        '{"recording": 1, "task": "hyde", "query": "q", "calls": [{"tokens_in": "many"}]}', "tokens_in is 'many'",
    ),
    "unknown ids only": ('{"_id": "404", "text": "t"}', "ids that this corpus does not have"),
    "seven of them": ("{\n" * 7, "and 2 more"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "said"), WRONG.values(), ids=WRONG)
def test_a_file_that_is_wrong_is_named_with_its_lines(tmp_path, text, said):
    path = tmp_path / "bad.jsonl"
    path.write_text(text)
    with pytest.raises(BadSource, match=r"bad\.jsonl") as raised:
        RecordedWriter(path, task="hyde", queries=[JudgedQuery("1", "q1")])
    assert said in str(raised.value)


def test_other_files_that_cannot_be_opened(tmp_path):
    (tmp_path / "latin.tsv").write_bytes("1\tcafé".encode("latin-1"))
    for path, said in ((tmp_path / "none.jsonl", "cannot be read"), (tmp_path / "latin.tsv", "not UTF-8")):
        with pytest.raises(BadSource, match=said):
            RecordedWriter(path, task="hyde")
    plain = jsonl(tmp_path / "p.jsonl", {"query": "q", "text": "t"})
    with pytest.raises(BadInput, match="Name the task"):
        RecordedWriter(plain)
    with pytest.raises(UnknownName, match="Did you mean 'hyde'"):
        RecordedWriter(plain, task="hide")


def test_a_name_opens_a_file_only_where_that_is_allowed(engine, tmp_path):  # noqa: F811
    path = jsonl(tmp_path / "a:b.jsonl", {"query": "q", "text": "t"})
    with pytest.raises(BadSetting, match="command line"):
        open_writer(f"recorded:hyde:{path}", index=engine.index)
    writer = open_writer(f"Recorded:hyde:{path}", index=engine.index, local_files=True)
    assert (texts(writer, "q"), writer.tasks) == (["t"], {"hyde"})
    for name in ("recorded:", "recorded:hyde: "):
        with pytest.raises(BadSetting, match="names no file"):
            open_writer(name, index=engine.index, local_files=True)


def test_texts_that_stand_for_another_index_fall_back(engine, tmp_path):  # noqa: F811
    path = tmp_path / "r.jsonl"
    answer = {"hyde": [Written("quoted", surface_ids=("elsewhere#chunk#0",))]}
    texts(RecordingWriter(ScriptedWriter(answer), path), "q")
    with pytest.raises(WriterError, match="another index"):
        texts(open_writer(f"recorded:{path}", index=engine.index, local_files=True), "q")


def test_the_command_line_replays_a_plain_file(tmp_path, capsys):
    query = "how do I stop sharing a folder"
    path = jsonl(tmp_path / "p.jsonl", {"query": query, "text": "revoke access to a shared folder", "model": "lab"})
    arguments = ["compare", query, "--corpus", "help_center", "--embedder", "hashing", "--json",
                 "--transforms", "rewrite,hyde", "--writer", f"recorded:rewrite:{path}"]  # fmt: skip
    assert main(arguments) == 0
    found = json.loads(capsys.readouterr().out)
    _, rewrite, hyde = found["results"]
    assert [one["text"] for one in rewrite["queries"]] == ["revoke access to a shared folder"]
    assert (rewrite["calls"][0]["recorded"], rewrite["cost_usd"]) == ("recorded: lab, p.jsonl", None)
    assert "cannot do hyde" in hyde["fallback_reason"]


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="permissions do not bind here")
def test_a_file_without_permission_is_said(tmp_path):
    path = tmp_path / "r.jsonl"
    path.write_text("x")
    path.chmod(0)
    with pytest.raises(BadSource, match="cannot be read"):
        RecordedWriter(path, task="hyde")
