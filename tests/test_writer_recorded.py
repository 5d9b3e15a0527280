"""The recorded writer: what goes into a file comes out of it, and what is not there is said, not invented."""

from __future__ import annotations

import csv
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from ir_core.cli import main
from ir_core.compare import DEFAULT_TRANSFORMS, compare_all
from ir_core.errors import BadInput, BadSetting, BadSource, Cancelled, TaskUnsupported, UnknownName, WriterError
from ir_core.library import JudgedQuery
from ir_core.protocols import RunContext
from ir_core.retrieval import SearchSettings
from ir_core.schema import Call, Task, Written
from ir_core.transforms import TRANSFORMS
from ir_core.writers import open_writer
from ir_core.writers.recorded import RecordedWriter, RecordingWriter, read_recording
from ir_core.writers.recorded.plain import without_repeats
from tests.scripted import GOOD, ScriptedWriter
from tests.test_retrieval import engine  # noqa: F401  (a fixture)

SIX = [(name, {}) for name in DEFAULT_TRANSFORMS]
QUERIES = ("reset my password", "who may share a folder", "upload limit of the free plan")


class NoSearches:
    steps = ()


def context_of(writer) -> RunContext:
    return RunContext(writer=writer, searcher=NoSearches())


def texts(writer, query: str, task: str = "hyde", **more) -> list[str]:
    return [one.text for one in context_of(writer).write(Task(task, query, **more))]


def jsonl(path, *records) -> str:
    path.write_text("\n".join(r if isinstance(r, str) else json.dumps(r, ensure_ascii=False) for r in records))
    return str(path)


def facts(result) -> tuple:
    """All of a result that does not depend on the clock."""
    made = result.formulation
    calls = [(c.task, c.model, c.texts, c.tokens_in, c.tokens_out, c.cost_usd, c.error) for c in made.calls]
    hits = [(hit.artifact_id, hit.surface_id, hit.score) for hit in result.fused.hits]
    return (made.title, made.queries, made.notes, made.fallback_reason, calls, hits, result.fingerprint)


@pytest.mark.parametrize("who", ["corpus", "scripted"])
def test_recorded_then_replayed_gives_the_same_rankings(engine, tmp_path, who):  # noqa: F811
    """The corpus writer's texts carry weights, notes and the surfaces they stand for."""
    inner = open_writer("corpus", index=engine.index) if who == "corpus" else ScriptedWriter()
    path = tmp_path / "run.jsonl"

    def run(writer):
        return [
            facts(result)
            for query in QUERIES
            for result in compare_all(engine, query, transforms=SIX, writer=writer, settings=SearchSettings())
        ]

    first = run(RecordingWriter(inner, path))
    plain = run(inner)
    assert first == plain, "recording changes nothing"
    replay = open_writer(f"recorded:{path}", index=engine.index, local_files=True)
    again = run(replay)
    for (*made, fingerprint), (*remade, same) in zip(first, again, strict=True):
        assert remade[:3] + remade[4:] == made[:3] + made[4:]
        assert (remade[3] is None) == (made[3] is None), "fell back where the recorded run did"
        assert fingerprint == same
    assert replay.is_llm is inner.is_llm
    assert any(queries for _, queries, *_ in first if len(queries) > 1), "something was written at all"


def test_a_call_keeps_what_it_took_and_nothing_unknown_is_invented(tmp_path):
    class Timed(ScriptedWriter):
        def write(self, task, context):
            common = {"prompt_id": "hyde.en", "prompt_version": "3", "raw": "Sure: passage", "texts": ("passage",)}
            context.record(Call("hyde", "lab/model-1", error="HTTP 429", seconds=0.5))
            context.record(Call("hyde", "lab/model-1", tokens_in=7, cost_usd=None, seconds=2.5, started=1, **common))
            return [Written("passage")]

    path = tmp_path / "r.jsonl"
    context_of(writer := RecordingWriter(Timed(), path)).write(Task("hyde", "q", seed=4))
    [line] = path.read_text().splitlines()
    record = json.loads(line)
    day = record["date"][:10]
    assert (record["recording"], record["task"], record["query"], record["texts"]) == (1, "hyde", "q", ["passage"])
    replay = RecordedWriter(path)
    assert replay.label == f"recorded: lab/model-1, {day}"
    assert (writer.label, writer.tasks) == ("scripted", ScriptedWriter.tasks)
    context = context_of(replay)
    context.write(Task("hyde", "q"))
    failed, call = context.calls
    assert (failed.error, failed.first_s) == ("HTTP 429", 0.5)
    assert (call.seconds, call.first_s, call.tokens_in, call.tokens_out, call.cost_usd) == (0.0, 2.5, 7, None, None)
    assert (call.prompt_id, call.prompt_version, call.raw) == ("hyde.en", "3", "Sure: passage")
    assert (call.cached, call.recorded) == (True, replay.label)


def test_a_failure_is_recorded_as_one_and_falls_back_again(tmp_path):
    path = tmp_path / "r.jsonl"
    broken = ScriptedWriter({**GOOD, "hyde": WriterError("lab/model: the deadline of 30 s passed; try again.")})
    for open_it in (lambda: RecordingWriter(broken, path), lambda: RecordedWriter(path)):
        made = TRANSFORMS.make("hyde").formulate("q", (), context_of(open_it()))
        assert "the deadline of 30 s passed" in made.fallback_reason
        assert [query.text for query in made.queries] == ["q"]


def test_no_key_reaches_the_file(tmp_path, monkeypatch):
    monkeypatch.setenv("LAB_API_KEY", "marker-key-0123456789")
    said = "https://user:pw@gate.example/v1?key=abc refused Bearer sk-abcdef123456"
    path = tmp_path / "r.jsonl"
    writer = RecordingWriter(ScriptedWriter({"hyde": WriterError(said), "rewrite": ["marker-key-0123456789"]}), path)
    with pytest.raises(WriterError):
        texts(writer, "q")
    texts(writer, "q", "rewrite")
    written = path.read_text()
    assert len(written.splitlines()) == 2
    for secret in ("marker-key-0123456789", "sk-abcdef", "pw@", "abc"):
        assert secret not in written


def test_many_threads_and_two_recorders_lose_no_line(tmp_path):
    path = tmp_path / "r.jsonl"
    path.write_text('{"query": "cut off", "text": "by a crash"}')
    answer = {"hyde": lambda task: [f"{task.query} " * 2_000]}
    writers = [RecordingWriter(ScriptedWriter(answer), path) for _ in range(2)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda i: texts(writers[i % 2], f"query {i}"), range(64)))
    entries = read_recording(path, task="hyde")
    assert {entry.query for entry in entries} == {"cut off", *(f"query {i}" for i in range(64))}
    assert len(entries) == 65


def test_what_cannot_be_recorded_costs_no_text(tmp_path):
    (tmp_path / "file").write_text("")
    for bad in (tmp_path, tmp_path / "file" / "r.jsonl"):
        with pytest.raises(BadSetting, match="can be written"):
            RecordingWriter(ScriptedWriter(), bad)
    path = tmp_path / "later" / "r.jsonl"
    with pytest.raises(BadSetting, match="its folder does not exist"):
        RecordingWriter(ScriptedWriter(), path)
    with pytest.raises(BadSetting, match="names no file"):
        RecordingWriter(ScriptedWriter(), " ")
    path.parent.mkdir()
    writer = RecordingWriter(ScriptedWriter(), path)
    path.unlink()
    path.parent.rmdir()
    [found] = context_of(writer).write(Task("rewrite", "q"))
    assert (found.text, "Not recorded" in found.note) == (GOOD["rewrite"][0], True)
    with pytest.raises(BadSetting, match="Copy its file"):
        RecordingWriter(RecordedWriter(jsonl(tmp_path / "p", {"query": "q", "text": "t"}), task="hyde"), path)


def test_a_cancelled_task_is_not_recorded(tmp_path):
    path = tmp_path / "r.jsonl"
    writer = RecordingWriter(ScriptedWriter({"hyde": Cancelled("A newer query took over.")}), path)
    stopped = RunContext(writer=writer, searcher=NoSearches())
    with pytest.raises(Cancelled):
        writer.write(Task("hyde", "q"), stopped)
    assert path.read_text() == ""


@pytest.mark.parametrize(
    "reply", ["", "  \n", "{}", "[]", "null", "N/A", '{"query": ""}', '""', "…", None], ids=lambda text: repr(text)
)
def test_a_reply_that_is_no_text_falls_back_visibly(tmp_path, reply):
    path = jsonl(tmp_path / "p.jsonl", {"query": "q", "text": reply}, {"query": "other", "text": "fine"})
    made = TRANSFORMS.make("hyde").formulate("q", (), context_of(RecordedWriter(path, task="hyde")))
    assert "cannot be used" in made.fallback_reason
    assert [query.text for query in made.queries] == ["q"]
    assert len(made.calls) == 1
    assert made.calls[0].raw == (reply or "")


def test_a_query_or_task_that_is_not_there_is_said(tmp_path):
    writer = RecordedWriter(jsonl(tmp_path / "p.jsonl", {"query": "q", "text": "t"}), task="hyde")
    with pytest.raises(WriterError, match=r"In p\.jsonl this query was not recorded for hyde"):
        texts(writer, "another")
    with pytest.raises(TaskUnsupported):
        texts(writer, "q", "rewrite")


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


@pytest.mark.parametrize("text", ["متى تفتح البوابة؟", "再設定\u2028方法 🙂", 'a\\b\t"c"\r\nd', "\ud800 lone"])
def test_any_text_comes_back_as_it_was(tmp_path, text):
    path = tmp_path / "r.jsonl"
    answer = {"hyde": [Written(f"passage {text}", note=text, weight=0.5, terms={text: 2.0})]}
    [made] = context_of(writer := RecordingWriter(ScriptedWriter(answer), path)).write(Task("hyde", text))
    [again] = context_of(RecordedWriter(path)).write(Task("hyde", text))
    assert writer.is_llm
    if "\ud800" in text:
        assert again.text == made.text.replace("\ud800", "\ufffd")
    else:
        assert again == made
    assert len(path.read_bytes().splitlines()) == 1


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
