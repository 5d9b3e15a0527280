"""Claude Code's sessions as files: beside others, in archives, damaged; what is none, and what must not get out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ir_core.build import build
from ir_core.embedders import open_embedder
from ir_core.loaders import load, load_uploads
from ir_core.retrieval import Engine, SearchSettings, search
from ir_core.schema import Formulation, Query
from ir_core.strategies import strategy_from_spec
from tests.made_files import write_all, zipped
from tests.made_sessions import SESSION, Session


def test_the_same_from_a_file_a_folder_and_a_zip_with_what_lies_beside_left_out(tmp_path):
    made = Session()
    made.ask("where are the logs?")
    made.say("In var/log.")
    data = "\n".join([json.dumps({"type": "summary", "summary": "Logs", "leafUuid": "u1"}), *made.lines, *made.lines])
    beside = {
        f"-srv-ferry-app/{SESSION}/tool-results/a.txt": b"TOOL OUTPUT",
        f"-srv-ferry-app/{SESSION}/subagents/agent-1.jsonl": b"{}",
        "-srv-ferry-app/memory/MEMORY.md": b"# Memory",
        "-srv-ferry-app/sessions-index.json": b'{"entries": [{"summary": "Logs"}]}',
    }
    files = {f"-srv-ferry-app/{SESSION}.jsonl": data.encode(), **beside}
    write_all(tmp_path / "projects", files)
    (tmp_path / "a.zip").write_bytes(zipped(*files.items()))
    (tmp_path / "one.jsonl").write_text(data)
    loaded = [load(tmp_path / name) for name in ("projects", "a.zip", "one.jsonl", "projects")]
    assert [[item.id for item in one.artifacts] for one in loaded] == [["u0"]] * 4
    assert {one.default_strategy for one in loaded} == {"ClaudeTurn"}
    assert [problem.reason[-2:] for problem in loaded[0].problems] == [" 4"]
    notes = {"notes/memory/a.md": b"# Mine", "notes/sessions-index.json": b'[{"text": "mine"}]'}
    assert len(load_uploads([*notes.items()]).artifacts) == 2, "beside no session they are documents"


MESSAGE = {
    "type": "user",
    "uuid": "a",
    "parentUuid": None,
    "sessionId": "s",
    "message": {"role": "user", "content": "q"},
}


@pytest.mark.parametrize(
    "records",
    [
        [{key: value for key, value in MESSAGE.items() if key != "parentUuid"} | {"text": "plain"}],
        [{key: value for key, value in MESSAGE.items() if key != "sessionId"} | {"text": "plain"}],
        [MESSAGE | {"message": "q", "text": "plain"}],
        [MESSAGE | {"message": {"role": "assistant", "content": "q"}, "text": "plain"}],
        [{"text": "plain"}, MESSAGE | {"text": "plain"}],
        [{"type": "summary", "summary": "plain"}],
        [{"type": "event", "text": "plain", "sessionId": "s", "uuid": "a", "parentUuid": None}],
    ],
)
def test_what_merely_looks_like_a_session_is_read_as_records(records):
    loaded = load_uploads([("a.jsonl", "\n".join(map(json.dumps, records)).encode())])
    assert len(loaded.artifacts) == len(records)
    assert loaded.default_strategy is None


@pytest.mark.parametrize(
    "pasted",
    [
        "sk-proj-abcdefghij0123456789", "ghp_abcdefghij0123456789AB", "AKIAABCDEFGHIJKLMNOP", "DB_PASSWORD=hunter2pw",
        "Bearer abcdefghij0123456789", "postgres://ferry:hunter2@db/x", "-----BEGIN RSA PRIVATE KEY-----\nMII\nxyz",
        'api_key: "q9w8e7r6t5"',
    ],
)  # fmt: skip
def test_a_pasted_credential_is_in_no_document(pasted):
    made = Session()
    made.ask(f"it says key_error for the token_count, here is mine: {pasted}")
    made.say(f"Do not paste {pasted} again")
    [turn] = made.loaded().artifacts
    for said in (turn.raw["user"], turn.raw["assistant"]):
        assert "[hidden]" in said
        assert not any(part in said for part in ("abcdefghij", "ABCDEFGH", "hunter2", "MII", "q9w8"))
    assert turn.raw["user"].startswith("it says key_error for the token_count, here is mine: ")


def test_a_session_is_searched_by_what_was_asked_and_filtered_by_tool(tmp_path):
    made = Session()
    made.ask("why is the timetable slow?")
    made.use("Bash")
    made.say("A missing index.")
    made.ask("what is a missing index?")
    made.say("One the planner cannot use for the timetable.")
    loaded = made.loaded()
    index = build(
        "s", loaded.artifacts, strategy_from_spec({"name": "ClaudeTurn"}), open_embedder("hashing"), home=tmp_path
    )
    engine = Engine(index, open_embedder("hashing"))

    def found(query: str, **settings: Any) -> list[str]:
        asked = Query("original", query)
        made = Formulation("identity", "", asked, (asked,))
        result = search(engine, made, SearchSettings(**settings))
        return [f"{hit.artifact_id} {hit.kind}" for hit in result.fused.hits]

    assert found("what is a missing index?")[0] == "u4 user_prompt"
    assert found("missing index", surfaces=("assistant_summary",))[0] == "u0 assistant_summary"
    assert found("missing index", filter={"tool_use": True, "project": "ferry-app"}) == ["u0 assistant_summary"]
