"""An evaluation as a job: the same figures as headless, whatever interrupts it, and nothing asked for twice."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import replace

import pytest

from ir_core import library
from ir_core.errors import BadInput, UnknownName
from ir_core.evaluation import Plan, WriterPlan, again, create, evaluate, evaluation_of, open_index_of, with_cap
from ir_core.jobs import JobStore, Runner, run
from ir_core.schema import AUTHORED, Call
from tests.evaluation_jobs import CORPUS, TRANSFORMS, figures, job, plan, work
from tests.scripted import GOOD, ScriptedWriter


class Stops(ScriptedWriter):
    """Pauses the run at its ``at``-th task."""

    def stop_at(self, cancel, at):
        self.cancel, self.at = cancel, at
        return self

    def write(self, task, context):
        written = super().write(task, context)
        if len(self.asked) >= self.at:
            self.cancel.set()
        return written


def by_query(task):
    """Texts that differ from query to query, so that nothing can pass for something else."""
    return [f"{task.name} {number} of {task.query}" for number in range(task.n)]


ANSWERS = dict.fromkeys(GOOD, by_query)


def scripted(**options):
    return ScriptedWriter(ANSWERS, **options)


def asked(writer):
    return Counter((task.name, task.query) for task in writer.asked)


def headless(one, writer, mode="hybrid"):
    made = Plan.from_json(one.spec)
    corpus = library.corpus(CORPUS)
    wanted = {row.query_id for row in evaluation_of(one, mode).columns[0].rows}
    found = evaluate(
        open_index_of(made), [query for query in corpus.queries() if query.id in wanted], corpus.qrels(),
        transforms=made.transforms, writer=writer, settings=made.settings(mode), measures=made.measures,
        timed_queries=0, samples=made.samples,
    )  # fmt: skip
    return found.to_json()["transforms"]


@pytest.mark.parametrize("is_llm", [True, False])
def test_a_job_gives_the_figures_of_the_headless_evaluation(is_llm):
    one, writer = job(plan(modes=("hybrid", "lexical"))), scripted(is_llm=is_llm)
    assert run(one, work(writer)).status == "finished"
    assert set(asked(writer).values()) == {1}, "one text serves both modes"
    for mode in ("hybrid", "lexical"):
        assert figures(one, mode)["transforms"] == headless(one, scripted(), mode)
    assert one.state().done == one.state().total == 12


@pytest.mark.parametrize("is_llm", [True, False])
def test_interrupted_often_it_gives_the_same_figures_and_asks_nothing_twice(is_llm):
    whole = job(plan())
    run(whole, work(scripted()))
    one, total = job(plan()), Counter()
    for stop in (3, 1, 2, 10_000):
        cancel = threading.Event()
        writer = Stops(ANSWERS, is_llm=is_llm).stop_at(cancel, stop)
        end = run(one, work(writer), cancel=cancel)
        total += asked(writer)
        assert end.status == ("paused" if len(writer.asked) >= stop else "finished")
        with (one.folder / "results.jsonl").open("ab") as file:
            file.write(b'{"query": "a line torn o')
    assert end.status == "finished"
    assert set(total.values()) == {1}
    assert len(total) == 24
    assert figures(one) == figures(whole)


def test_two_at_once_give_the_same_figures_as_each_alone():
    one, other = job(plan()), job(plan(transforms=[*TRANSFORMS, ("hyde", {})], modes=("dense",)))
    alone = job(plan()), job(plan(transforms=[*TRANSFORMS, ("hyde", {})], modes=("dense",)))
    for each in alone:
        run(each, work(scripted()))
    runner = Runner(at_once=2)
    runner.start(one, work(scripted(delay=0.005)))
    runner.start(other, work(scripted(delay=0.005)))
    assert runner.wait(one, 60)
    assert runner.wait(other, 60)
    assert figures(one) == figures(alone[0])
    assert figures(other, "dense") == figures(alone[1], "dense")


def test_another_mode_or_k_is_searched_without_asking_the_writer():
    before = job(plan(writer=WriterPlan("openai/test-model", needs_key=True)))
    run(before, work(scripted()))
    made = replace(Plan.from_json(before.spec), modes=("lexical", "dense"), measures=("recall@3",), dense_weight=0.5)
    after, silent = again(before, made, store=JobStore()), scripted()
    assert run(after, work(silent)).status == "finished"
    assert silent.asked == []
    assert not after.needs_key
    assert figures(after, "lexical")["transforms"] == headless(after, scripted(), "lexical")
    with pytest.raises(BadInput, match="Start a new run"):
        again(before, replace(made, transforms=TRANSFORMS[:2]), store=JobStore())


def test_a_cap_pauses_it_and_a_higher_one_lets_it_go_on():
    one, first, second = job(plan(max_calls=9)), scripted(), scripted()
    end = run(one, work(first))
    assert (end.status, end.why) == ("paused", "cap")
    assert "9 calls" in end.sentence
    assert end.details["spent"]["calls"] == 9
    one = with_cap(one, None, None)
    end = run(one, work(second))
    assert (end.status, end.details["spent"]["calls"]) == ("finished", 24)
    assert set((asked(first) + asked(second)).values()) == {1}


def test_a_failed_query_costs_only_its_own_row():
    def breaks(task):
        if task.query == lost:
            raise ZeroDivisionError
        return by_query(task)

    one, whole = job(plan()), job(plan())
    lost = evaluation_query(one, 4)
    run(one, work(ScriptedWriter({**ANSWERS, "rewrite": breaks})))
    run(whole, work(scripted()))
    rewrite, sound = (evaluation_of(each, "hybrid").columns[1].rows for each in (one, whole))
    fell = [row for row in rewrite if row.fallback_reason or row.error]
    assert [row.text for row in fell] == [lost]
    assert all(row.scores is not None for row in rewrite)
    assert [row for row in rewrite if row.text != lost] == [row for row in sound if row.text != lost]


def evaluation_query(one, number):
    from ir_core.evaluation.job import queries_of

    return queries_of(one)[number].text


def test_latency_is_measured_last_and_once():
    one = job(plan(timed_queries=3))
    run(one, work(scripted()))
    found = evaluation_of(one, "hybrid")
    assert [found.summary(column).n_timed for column in found.columns] == [3, 3, 3]
    kept = (one.folder / "seconds.jsonl").read_bytes()
    run(one, work(scripted()))
    assert (one.folder / "seconds.jsonl").read_bytes() == kept


def test_authored_texts_end_the_run():
    class Authored(ScriptedWriter):
        def write(self, task, context):
            context.record(Call(task.name, AUTHORED, texts=("a",)))
            return super().write(task, context)

    end = run(job(plan()), work(Authored()))
    assert end.status == "failed"
    assert "authored example, which is never measured" in end.sentence


def test_what_cannot_be_measured_is_refused_before_it_begins():
    made, corpus = plan(split="tune"), library.corpus(CORPUS)
    tune = create(made, corpus.queries(), corpus.qrels(), title="t", store=JobStore())
    run(tune, work(scripted()))
    assert {query.split for query in corpus.queries()} == {"tune", "test"}
    rows = evaluation_of(tune, "hybrid").columns[0].rows
    assert {row.query_id for row in rows} < {query.id for query in corpus.queries() if query.split == "tune"}
    with pytest.raises(BadInput, match="judgement"):
        create(made, corpus.queries(), {}, title="t", store=JobStore())
    with pytest.raises(BadInput, match="at least"):
        plan(modes=())
    with pytest.raises(UnknownName):
        plan(transforms=[("nothing", {})])


def test_an_index_that_is_gone_is_said():
    from ir_core import build

    one = job(plan())
    build.delete(CORPUS)
    end = run(one, work(scripted()))
    assert end.status == "failed"
    assert "Start a new run" in end.sentence
