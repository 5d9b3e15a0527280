"""The recorded writer: what goes into a file comes out of it, and what is not there is said, not invented."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from ir_core.compare import DEFAULT_TRANSFORMS, compare_all
from ir_core.errors import BadSetting, Cancelled, TaskUnsupported, WriterError
from ir_core.protocols import RunContext
from ir_core.retrieval import SearchSettings
from ir_core.schema import Call, Task, Written
from ir_core.transforms import TRANSFORMS
from ir_core.writers import open_writer
from ir_core.writers.recorded import RecordedWriter, RecordingWriter, read_recording
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
