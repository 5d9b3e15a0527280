"""Controls with a list doubled, a writer that fails from the start, and what is odd about a query set."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ir_core import library
from ir_core.errors import BadInput, BadSource, UnknownName, WriterError, WriterFails
from ir_core.evaluation import Plan, create, evaluate, evaluation_of, open_index_of, with_cap
from ir_core.evaluation.controls import CONTROLS
from ir_core.evaluation.oddities import NONE_JUDGED, NONE_RELEVANT, oddities
from ir_core.jobs import JobStore, run
from ir_core.library import JudgedQuery
from ir_core.library.queries import read_qrels, read_queries
from ir_core.schema import Call
from ir_core.secrets import Secret
from tests.evaluation_jobs import CORPUS, TRANSFORMS, job, model, plan, work
from tests.scripted import GOOD, ScriptedWriter


def headless(made, writer, **options):
    corpus = library.corpus(CORPUS)
    judged = [query for query in corpus.queries() if query.id in corpus.qrels()][:12]
    return evaluate(
        open_index_of(made), judged, corpus.qrels(), transforms=made.transforms, writer=writer,
        measures=made.measures, timed_queries=0, samples=made.samples,
        **{"settings": made.settings("hybrid"), **options},
    )  # fmt: skip


def lists(column):
    return [row.retrieved for row in column.rows]


def test_a_control_is_the_original_with_that_leg_twice_as_heavy():
    made = plan(controls=("lexical", "dense"), modes=("hybrid", "dense"))
    one = job(made)
    run(one, work(ScriptedWriter()))
    found = evaluation_of(one, "hybrid")
    assert [column.titles for column in found.columns[-2:]] == [(CONTROLS["dense"],), (CONTROLS["lexical"],)]
    assert len(found.evidence()) == len(TRANSFORMS) + 2
    for column, settings in (
        (found.columns[-2], replace(made.settings("hybrid"), dense_weight=2.0)),
        (found.columns[-1], replace(made.settings("hybrid"), lexical_weight=2.0)),
    ):
        alone = headless(made, ScriptedWriter(), settings=settings)
        assert lists(column) == lists(alone.columns[0])
        assert all(row.calls == 0 for row in column.rows)
    assert lists(found.columns[-2]) != lists(found.columns[-1])
    both = headless(made, ScriptedWriter(), controls=("dense", "lexical"))
    assert [lists(column) for column in both.columns] == [lists(column) for column in found.columns]
    assert len(evaluation_of(one, "dense").columns) == len(TRANSFORMS), "one list has no balance to shift"
    assert Plan.from_json(made.to_json()) == made
    with pytest.raises(UnknownName):
        plan(controls=("both",))


def test_a_wrong_key_stops_the_run_before_anything_is_kept(llm_server):
    llm_server.queue(*["401"] * 40)
    one = job(plan(writer=model(llm_server.base_url)))
    end = run(one, work(key=Secret("wrong")))
    assert (end.status, end.why) == ("paused", "writer")
    assert "calls in a row brought no text" in end.sentence
    assert evaluation_of(one, "hybrid").n == 0
    assert {line["column"] for line in one.lines("texts.jsonl").read()} == {0}, "no fallback stands for a text"
    assert 10 <= len(llm_server.requests) < 24, "those under way came to their end, and no more began"
    llm_server.reset()
    assert run(one, work(key=Secret("right"))).status == "finished"
    rows = [row for column in evaluation_of(one, "hybrid").columns for row in column.rows]
    assert not [row for row in rows if row.fallback_reason]


def test_a_writer_that_fails_later_is_not_said_to_have_failed_at_first(llm_server):
    one = job(plan(writer=model(llm_server.base_url), max_calls=6))
    assert run(one, work(key=Secret("right"))).why == "cap"
    llm_server.queue(*["401"] * 40)
    end = run(with_cap(one, None, None), work(key=Secret("revoked")))
    assert (end.status, end.why) == ("paused", "writer")
    assert end.details["spent"]["answered"] == 6
    assert "calls in a row brought no text" in end.sentence
    assert "first" not in end.sentence


def test_headless_too_and_a_few_failures_at_first_are_rows_as_any():
    broken = ScriptedWriter(dict.fromkeys(GOOD, WriterError("no such key")))
    with pytest.raises(WriterFails, match="no such key"):
        headless(plan(), broken)
    assert len(broken.asked) < 24
    answers = iter([WriterError("busy")] * 9)

    class Busy(ScriptedWriter):
        def write(self, task, context):
            if error := next(answers, None):
                context.record(Call(task.name, self.name, error=str(error)))
                raise error
            return super().write(task, context)

    found = headless(plan(), Busy())
    assert sum(bool(row.fallback_reason) for column in found.columns for row in column.rows) == 9


def test_a_set_of_few_queries_that_all_fail_is_measured_to_its_end():
    one = job(plan(transforms=TRANSFORMS[:2]), n=3)
    end = run(one, work(ScriptedWriter(dict.fromkeys(GOOD, WriterError("busy")))))
    assert end.status == "finished"
    assert all(row.fallback_reason for row in evaluation_of(one, "hybrid").columns[1].rows)


def test_what_is_odd_about_a_set_has_its_sentence():
    queries = [JudgedQuery("a", "one"), JudgedQuery("b", "two")]
    assert oddities([], {}) == ["The query set is empty, so there is nothing to measure."]
    assert oddities(queries, {"a": {"x": 1}, "b": {"x": 1}}, {"x"}) == []
    said = " ".join(oddities(queries, {"a": {"x": 1, "y": -1}, "c": {"x": 1}}, {"x"}))
    for part in (
        "1 judged query is not in the query set", "1 negative judgement counts as not relevant",
        "1 judged document is not in the index", "Only one query can be measured",
    ):  # fmt: skip
        assert part in said


@pytest.mark.parametrize(
    ("qrels", "said"), [({}, NONE_JUDGED), ({"a": {"x": 0, "y": -1}}, NONE_RELEVANT), ({"z": {"x": 1}}, NONE_JUDGED)]
)
def test_what_cannot_be_measured_says_why(qrels, said):
    made, queries = plan(split="test"), [JudgedQuery("a", "one")]
    with pytest.raises(BadInput, match=f"^{said}$"):
        evaluate(
            open_index_of(made), queries, qrels, transforms=TRANSFORMS, writer=ScriptedWriter(),
            settings=made.settings("hybrid"),
        )  # fmt: skip
    with pytest.raises(BadInput, match=f"^{said} Only the split 'test' was asked for.$"):
        create(made, queries, qrels, title="None", store=JobStore())


def test_an_id_that_stands_twice_is_refused_by_its_lines():
    line = b'{"_id": "q", "text": "a"}\n'
    with pytest.raises(BadSource, match="lines 1 and 3, have the same id 'q'"):
        read_queries(line + b"\n" + line)
    assert read_qrels(b"q\td\t1\nq\td\t1\n") == {"q": {"d": 1}}
    with pytest.raises(BadSource, match=r"line 2, give 'd' .* grade 2, and an earlier line gave it 1"):
        read_qrels(b"q\td\t1\nq\td\t2\n")
