"""A judge in a job: after the searching, paid by the same purse, on disk line by line, never asked twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ir_core.errors import BadInput
from ir_core.evaluation import JudgePlan, Plan, WriterPlan, again, evaluation_of, with_cap
from ir_core.evaluation.job_files import JUDGED
from ir_core.jobs import JobStore, run
from pages._ui import run_words
from tests.evaluation_jobs import figures, job, model, plan, work

pytestmark = [
    pytest.mark.filterwarnings("ignore:Accessing the:DeprecationWarning"),
    pytest.mark.usefixtures("ready"),
]
JUDGE = "You rate what a search found"


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "k")


def judged(server, **options):
    """The corpus writer's texts, judged by a model."""
    return plan(judge=JudgePlan(model(server.base_url, price=(1.0, 1.0)), **{"repeats": 2, **options}))


def test_a_run_is_judged_at_its_end_and_its_cost_stands_apart(llm_server):
    llm_server.reply = "75"
    one = job(judged(llm_server, answerer=True), n=6)
    state = run(one, work())
    assert (state.status, state.done, state.total) == ("finished", 12, 12)
    assert run_words.progress(state).startswith("Finished · 6 of 6 queries")
    found = evaluation_of(one, "hybrid")
    assert found.measures[-3:] == ("judge@5", "answered@5", "answer_f1@5")
    total = found.summary(found.columns[1])
    assert total.means["judge@5"] == 0.75
    assert total.cost_usd == 0
    assert total.difference["judge@5"].mean == 0
    assert found.judging.calls == len(llm_server.requests)
    assert found.judging.cost_usd == pytest.approx(len(llm_server.requests) * 18 / 1e6)
    assert state.details["spent"] == state.details["judge"], "the corpus writer costs nothing"
    lists = {(row.query_id, row.surface_ids[:5]) for column in found.columns for row in column.rows}
    assert found.judging.lists == len(lists)
    assert Plan.from_json(one.spec) == Plan.from_json(Plan.from_json(one.spec).to_json())


def test_a_cap_pauses_it_and_nothing_is_asked_twice(llm_server):
    llm_server.reply = "75"
    made = judged(llm_server)
    whole = job(made, n=5)
    run(whole, work())
    n = len(llm_server.requests)
    llm_server.requests.clear()
    one = job(replace(made, max_calls=7), n=5)
    state = run(one, work())
    assert (state.status, state.why) == ("paused", "cap")
    assert len(llm_server.requests) == 7
    assert " judged · " in run_words.progress(state)
    half = evaluation_of(one, "hybrid")
    assert half.summary(half.columns[0]).means["recall@5"] is not None
    assert run(with_cap(one, None, None), work()).status == "finished"
    assert len(llm_server.requests) == n
    assert len(one.lines(JUDGED).read()) == n
    assert figures(one)["transforms"] == figures(whole)["transforms"]


def test_a_judge_that_cannot_and_one_that_fails_leave_the_figures_there(llm_server):
    one = job(plan(judge=JudgePlan()), n=4)
    assert run(one, work()).status == "finished"
    found = evaluation_of(one, "hybrid")
    assert found.summary(found.columns[0]).means["judge@5"] is None
    assert "cannot judge" in found.judging.why
    llm_server.queue(*["401"] * 200)
    broken = job(judged(llm_server), n=8)
    state = run(broken, work())
    assert (state.status, state.why) == ("paused", "writer")
    assert "The judge fails" in state.sentence
    assert run_words.status(state) == "Paused: the judge fails"
    assert evaluation_of(broken, "hybrid").n == 8


def test_a_run_without_a_judge_is_given_one_and_known_ratings_are_taken_along(llm_server):
    llm_server.reply = "75"
    bare = job(plan(), n=4)
    run(bare, work())
    wanted = judged(llm_server)
    first = again(bare, wanted, store=JobStore())
    run(first, work())
    n = len(llm_server.requests)
    assert evaluation_of(first, "hybrid").judging.calls == n > 0
    second = again(first, replace(wanted, dense_weight=1.0, measures=("recall@10",)), store=JobStore())
    run(second, work())
    assert len(llm_server.requests) == n
    other = JudgePlan(WriterPlan("openai/other", base_url=llm_server.base_url), repeats=2)
    third = again(first, replace(wanted, measures=("recall@10",), judge=other), store=JobStore())
    run(third, work())
    assert len(llm_server.requests) == 2 * n, "another judge is asked anew"
    with pytest.raises(BadInput, match="Start a new run"):
        again(bare, replace(wanted, seed=9), store=JobStore())
