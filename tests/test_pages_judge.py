"""The judge on the Evaluate page: its rubric, what it will take, its score with its spread, and its cost apart."""

from __future__ import annotations

import pytest

from ir_core import prompts
from ir_core.evaluation import JudgePlan, Plan, evaluation_of
from ir_core.jobs import run
from pages._ui import evaluations
from tests.app import open_app, press, shown
from tests.evaluation_jobs import job, model, plan, work

pytestmark = [
    pytest.mark.filterwarnings("ignore:Accessing the:DeprecationWarning"),
    pytest.mark.usefixtures("ready"),
]


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "k")


def test_a_judge_is_set_in_its_box_where_its_rubric_stands(llm_server):
    app = open_app("corpus=help_center", page="evaluate")
    app.session_state["ev_transforms"] = ["rewrite"]
    app.session_state["ev_split"] = "tune"
    app.checkbox(key="ev_judge").check().run()
    assert "cannot judge" in shown(app), "the corpus writer"
    assert app.button(key="ev_start").disabled
    app.radio(key="ev_judge_who").set_value("other").run()
    assert app.button(key="ev_start").disabled, "no model yet"
    app.text_input(key="ev_judge_model").set_value("openai/test-model").run()
    app.text_input(key="ev_judge_url").set_value(llm_server.base_url).run()
    app.number_input(key="ev_judge_repeats").set_value(2).run()
    page = shown(app)
    assert prompts.load("judge_context").system.splitlines()[0] in page, "the rubric, word for word"
    assert "0 = nothing in them helps to answer" in page
    assert "judge: at most" in page
    assert "The queries, their earlier turns and the passages found go to 127.0.0.1" in page
    app.checkbox(key="ev_judge_primary").check().run()
    app = press(app, "ev_start")
    one = evaluations.get(app.session_state["ev_run"])
    made = Plan.from_json(one.spec)
    assert made.measures[0] == "judge@5"
    assert not made.needs_key
    assert made.judge == JudgePlan(model(llm_server.base_url, label="openai/test-model"), repeats=2)
    evaluations.cancel(one)
    assert evaluations.RUNNER.wait(one, 60)


def test_the_leaderboard_has_its_score_its_spread_and_its_cost_apart(llm_server):
    replies = iter(["80", "60"] * 100)
    llm_server.reply = lambda body: next(replies)
    judge = JudgePlan(model(llm_server.base_url, price=(1.0, 1.0)), repeats=2)
    one = job(plan(measures=("judge@5", "recall@5"), transforms=[("rewrite", {})], judge=judge), n=4)
    assert run(one, work()).status == "finished"
    found = evaluation_of(one, "hybrid")
    page = shown(open_app(f"job={one.id}", page="evaluate"))
    mean = found.summary(found.columns[0], compared=[]).means["judge@5"]
    assert f">{100 * mean:.1f}<" in page
    assert 'title="Repeats differ on ' in page
    assert "beside what the transforms cost" in page
    assert "4 of 4 queries" in page
