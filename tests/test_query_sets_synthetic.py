"""Synthetic questions: one about each passage, judged by its document, with how many of its words it borrowed."""

from __future__ import annotations

import threading

import pytest

from ir_core import build, library
from ir_core.budget import Cap, Purse, capped
from ir_core.cli import main
from ir_core.embedders import open_embedder
from ir_core.errors import Cancelled, WriterError
from ir_core.evaluation import synthetic
from ir_core.retrieval import Engine
from ir_core.writers import open_writer
from ir_core.writers.llm import LlmWriter
from tests.scripted import ScriptedWriter

CORPUS = "help_center"
TASK = synthetic.ASK_TASK


@pytest.fixture
def engine(ready):
    index = build.current(CORPUS)
    return Engine(index, open_embedder(index.manifest.embedder))


def asking(answer):
    return ScriptedWriter({TASK: answer}, tasks=frozenset({TASK}))


def test_each_question_is_judged_by_the_document_it_was_made_from(engine):
    writer = asking(lambda task: [f"what of {task.query}"])
    made = synthetic.ask_about(engine, writer, 9)
    assert len({one.document for one in made.questions}) == 9
    for task, one in zip(sorted(writer.asked, key=lambda task: task.hits[0].rank), made.questions, strict=True):
        assert (task.hits[0].artifact_id, task.hits[0].surface_id) == (one.document, one.surface_id)
        assert one.overlap == 1.0, "a title's own words all stand in its document"
    kept = synthetic.keep(CORPUS, made, writer)
    assert (kept.kind, kept.n_queries) == ("synthetic", 9)
    assert "mean word overlap with the gold passage 100%" in kept.source
    assert kept.qrels() == {f"s{n:03d}": {one.document: 1} for n, one in enumerate(made.questions, start=1)}
    assert synthetic.mean_overlap(kept.queries()) == 1.0
    assert [hit.surface_id for hit in synthetic.passages(engine.index, 9)] == [
        hit.surface_id for hit in synthetic.passages(engine.index, 9)
    ]
    library.delete_query_set(CORPUS, kept.name)


def test_overlap_counts_different_content_words_by_their_stems():
    passage = "You can download any document as Portable Document Format."
    assert synthetic.word_overlap("How are documents downloaded to paper?", passage, "en") == pytest.approx(2 / 3)
    assert synthetic.word_overlap("what is it", passage, "en") is None


def test_a_model_asks_in_the_bank_s_words_and_a_cap_keeps_what_is_done(engine, llm_server):
    llm_server.reply = lambda body: f"How do I do thing number {len(str(body))}?"
    model = LlmWriter("openai/test-model", api_base=llm_server.base_url, api_key="k")
    found = synthetic.foreseen(engine.index, model, 30)
    assert (found.calls, found.leaves[0][:32]) == (30, "Titles and passages of 30 docume")
    purse = Purse(Cap(4, None), what="these questions", way_out="Raise it.")
    made = synthetic.ask_about(engine, capped(model, purse), 30)
    assert 1 <= len(made.questions) <= 4
    assert "The cap of" in made.said
    assert len(llm_server.requests) <= 4
    asked = llm_server.requests[0].text
    assert "Write one question that this passage answers" in asked
    assert any(" ".join(hit.text.split())[:40] in asked for hit in synthetic.passages(engine.index, 30))


def test_what_stops_it(engine):
    for writer, said in (
        (open_writer("corpus", index=engine.index), "cannot do questions about passages"),
        (asking(WriterError("no such key")), "the first 5 questions all did. no such key"),
    ):
        with pytest.raises(WriterError, match=said):
            synthetic.ask_about(engine, writer, 20)
    assert len(writer.asked) < 20
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        synthetic.ask_about(engine, asking(["a question"]), 5, cancel=stop)


def test_a_few_failures_are_told_and_cost_nothing_else(engine):
    def answer(task):
        if task.hits[0].rank == 2:
            raise WriterError("busy")
        return ["how do I pay"]

    made = synthetic.ask_about(engine, asking(answer), 5)
    assert (len(made.questions), made.failed) == (4, ("busy",))
    assert "1 could not be written: busy" in made.said


def test_the_command_line_lists_writes_and_deletes(ready, llm_server, capsys, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    options = ["sets", "--corpus", CORPUS]
    assert main([*options, "--write", "3", "--writer", "openai/test-model", "--base-url", llm_server.base_url]) == 0
    out = capsys.readouterr().out
    assert "Synthetic questions was added: 3 queries, 3 judgements." in out
    assert " written" in out
    assert main([*options, "--delete", "synthetic-questions"]) == 0
    assert [one.name for one in library.query_sets(CORPUS)] == ["own"]
    capsys.readouterr()
    assert main([*options, "--write", "3"]) == 2
    assert "cannot do questions about passages" in capsys.readouterr().err
