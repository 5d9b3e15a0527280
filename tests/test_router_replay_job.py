"""A replay as a job: it goes on where it stopped, asks nobody twice, and another threshold is read off it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ir_core import build, library, session
from ir_core.errors import BadInput, UnknownName
from ir_core.evaluation import Plan, open_index_of, open_writer_of
from ir_core.evaluation.job import asked_of
from ir_core.evaluation.replay import measured, outcome
from ir_core.evaluation.replay_job import create_replay, replay_of, replay_work, tables_of
from ir_core.jobs import JobStore, run
from ir_core.retrieval import SearchSettings
from ir_core.router import DECIDERS, Route, from_line, published, route
from pages.router import plain_oracle
from tests.scripted import GOOD, ScriptedWriter

CORPUS = "help_center"
BASELINES = (("identity", {}), ("hyde", {"with_query": True}), ("multi_query", {}))


def plan(**options):
    index = build.current(CORPUS) or session.prepare(CORPUS, embedder="hashing").build()
    return Plan(CORPUS, index.manifest.fingerprint, transforms=BASELINES, measures=("ndcg@10",), **options)


def job(made=None, decider=("rules", {}), tables=("ours", "lecture"), n=8):
    corpus = library.corpus(CORPUS)
    qrels = corpus.qrels()
    judged = [query for query in corpus.queries() if query.id in qrels]
    chosen = judged[:n] + [query for query in judged if query.history][:2]
    wanted = [published()[name] for name in tables]
    return create_replay(made or plan(), wanted, decider, chosen, qrels, title="A replay", store=JobStore())


def parts(writer=None):
    def opened(made):
        engine = open_index_of(made)
        return engine, writer or open_writer_of(made, engine)

    return opened


def test_every_row_is_there_and_each_table_scores_what_route_finds():
    made = job()
    state = run(made, replay_work(parts()))
    assert (state.status, state.done, state.total) == ("finished", 10, 10), state.sentence
    rows = replay_of(made)
    engine = open_index_of(plan())
    writer = open_writer_of(plan(), engine)
    assert list(tables_of(made)) == ["ours", "lecture"]
    for one in (rows[0], rows[-1]):
        query = one.row.query
        for name, table in tables_of(made).items():
            told = outcome(one.row, one.decision, table, one.followed.get(name))
            found = route(
                engine, query.text, decider=DECIDERS.make("rules"), table=table, writer=writer,
                settings=SearchSettings(k=10), history=query.history,
            )  # fmt: skip
            assert (told.calls, told.searches) == (found.n_calls, found.n_searches)
    assert rows[-1].followed.keys() == {"ours", "lecture"}
    assert one.decision.reasons == DECIDERS.make("rules").decide(query.text, query.history, _context(engine)).reasons


def _context(engine):
    from ir_core.router import Context

    return Context(engine, ScriptedWriter(), SearchSettings(k=10))


def test_it_is_paused_and_goes_on_without_asking_twice():
    writer = ScriptedWriter(answers={**GOOD, "classify": ["broad"]}, tasks=frozenset({*GOOD, "classify"}))
    made = job(decider=("llm", {}))
    work = replay_work(parts(writer))

    def stopped(handle):
        tell = handle.tell

        def after_three(done, total, details, *, at_start=0):
            if done >= 3:
                handle.job.request("pause")
            tell(done, total, details, at_start=at_start)

        handle.tell = after_three
        work(handle)

    assert run(made, stopped).status == "paused"
    kept = replay_of(made)
    assert len(kept) == 3
    asked = len(writer.asked)
    assert run(made, work).status == "finished"
    assert replay_of(made)[:3] == kept
    before = {query.row.query.text for query in kept}
    assert not [task for task in writer.asked[asked:] if task.query in before]


def test_a_cap_pauses_it_and_no_row_holds_a_text_that_was_not_paid_for():
    writer = ScriptedWriter(answers={**GOOD, "classify": ["broad"]}, tasks=frozenset({*GOOD, "classify"}))
    made = job(plan(max_calls=0))
    state = run(made, replay_work(parts(writer)))
    assert (state.status, state.why, replay_of(made)) == ("paused", "cap", [])


def test_another_threshold_is_read_off_it():
    made = job(decider=("signal", {"threshold": 1.0}), n=4)
    assert run(made, replay_work(parts())).status == "finished"
    one = replay_of(made)[0]
    weak = outcome(
        one.row, one.decision, from_line("simple=hyde;vocabulary=hyde;ambiguous_short=hyde;multi_hop=hyde")
    )
    strong = outcome(one.row, replace(one.decision, keeps_original=True), published()["ours"])
    assert 0 <= one.decision.measured["strength"] < 1
    assert (weak.taken, strong.taken) == ("hyde", "identity")


def test_what_cannot_be_replayed_is_refused_before_anything_is_kept():
    with pytest.raises(UnknownName):
        job(decider=("oracle", {}))
    with pytest.raises(BadInput):
        job(tables=())
    assert JobStore().jobs() == []


def test_answers_as_the_measure_leave_out_what_has_none_and_a_judge_is_refused():
    made = plan()
    first = replace(made, measures=("answer_in_context@5",))
    corpus = library.corpus(CORPUS)
    judged = [query for query in corpus.queries() if query.id in corpus.qrels()]
    asked = [replace(judged[0], answers=("a",)), replace(judged[1], answers=("the password",)), judged[2]]
    asked[2] = replace(asked[2], answers=("zygote words nobody wrote",))
    tables = [published()["ours"]]
    one = create_replay(first, tables, ("rules", {}), asked, corpus.qrels(), title="t", store=JobStore())
    end = run(one, replay_work(parts()))
    assert (end.status, end.total) == ("finished", 2), end.sentence
    values = [{cell.value for cell in row.row.cells.values()} for row in replay_of(one)]
    assert values[0] <= {0.0, 1.0}
    assert values[1] == {0.0}
    assert [item["query_id"] for item in asked_of(one)["excluded"]] == [judged[0].id]
    assert len(plain_oracle.values(one, first, replay_of(one))) == 2
    engine, writer = parts()(made)
    alone = measured(
        engine, asked[0], [Route("identity")], corpus.qrels(), writer, SearchSettings(), measure=first.measures[0]
    )
    assert alone.cells["identity"].value == 0.0, "nothing to measure it by, and no failure"
    wrong = replace(made, measures=("judge@5",))
    with pytest.raises(BadInput, match="without a judge"):
        create_replay(wrong, tables, ("rules", {}), asked, corpus.qrels(), title="t", store=JobStore())
