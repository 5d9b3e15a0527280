"""Another search of a run's texts: it asks nobody, unless its judge is wanted; and it counts its own calls only."""

from __future__ import annotations

import pytest

from ir_core.evaluation import JudgePlan, Plan, WriterPlan, evaluation_of
from ir_core.jobs import run
from pages._ui import evaluations, run_words
from tests.app import open_app, press, shown
from tests.evaluation_jobs import job, model, plan, work

pytestmark = [
    pytest.mark.filterwarnings("ignore:Accessing the:DeprecationWarning"),
    pytest.mark.usefixtures("ready"),
]


@pytest.fixture
def judged(llm_server, monkeypatch):
    """Written and rated by a model that is paid; the requests so far are forgotten."""
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    passage = "Guests are paid for by the owner of the team, once a month."
    llm_server.reply = lambda body: "75" if "You rate" in body["messages"][0]["content"] else passage
    writer = model(llm_server.base_url, price=(1.0, 2.0), label="openai/test-model")
    judge = JudgePlan(WriterPlan(**{name: getattr(writer, name) for name in ("name", "label", "base_url", "price")}))
    one = job(
        plan(
            writer=writer, judge=judge, transforms=[("query2doc", {})],
            measures=("judge@5", "recall@5", "answer_in_context@5"),
        ),
        n=4,
    )  # fmt: skip
    assert run(one, work()).status == "finished"
    assert one.state().details["spent"]["answered"] == len(llm_server.requests) > 4
    llm_server.requests.clear()
    return one


def searched(app, one):
    app = press(app, f"ev.again.{one.id}")
    new = evaluations.get(app.session_state["ev_run"])
    assert new.id != one.id
    assert evaluations.RUNNER.wait(new, 60)
    return new


def test_without_its_judge_nobody_is_asked_and_the_parents_calls_are_not_counted(judged, llm_server):
    app = open_app(f"job={judged.id}", page="evaluate")
    assert "no call, a run of its own" in shown(app)
    app.pills(key=f"ev.modes.{judged.id}").set_value(["hybrid", "lexical"])
    app.number_input(key=f"ev.k.{judged.id}").set_value(3).run()
    new = searched(app, judged)
    assert llm_server.requests == []
    state, made = new.state(), Plan.from_json(new.spec)
    assert state.status == "finished"
    assert (made.judge, made.max_calls) == (None, 0)
    assert made.measures == ("recall@3", "answer_in_context@3")
    assert state.details["spent"]["calls"] == 0
    assert "no model asked · $0" in run_words.progress(state)
    found = evaluation_of(new, "lexical")
    assert found.summary(found.columns[1]).cost_usd > 0, "what the texts took stays in their row"


def test_with_its_judge_the_calls_are_told_before_and_the_caps_of_the_page_hold(judged, llm_server):
    app = open_app(f"job={judged.id}", page="evaluate")
    app.session_state["ev_calls"] = 7
    app.checkbox(key=f"ev.again_judge.{judged.id}").check()
    app.pills(key=f"ev.modes.{judged.id}").set_value(["hybrid", "lexical"])
    app.number_input(key=f"ev.k.{judged.id}").set_value(3).run()
    page = shown(app)
    assert "no call, a run of its own" not in page
    lists = 4 * 2 * 2  # queries, columns, modes
    assert f"At most {3 * lists} calls to openai/test-model, ~$" in page
    host = llm_server.base_url.removeprefix("http://").removesuffix("/v1")
    assert f"passages found go to {host}, a server on this machine; no file path" in page
    new = searched(app, judged)
    assert Plan.from_json(new.spec).measures == ("judge@3", "recall@3", "answer_in_context@3")
    state = new.state()
    assert (state.status, state.why) == ("paused", "cap")
    assert len(llm_server.requests) == 7
    assert state.details["spent"]["calls"] == 7, "none of the parent's, under the cap neither"


def test_ratings_that_are_taken_along_are_not_counted_again(judged, llm_server):
    app = open_app(f"job={judged.id}", page="evaluate")
    app.checkbox(key=f"ev.again_judge.{judged.id}").check()
    app.pills(key=f"ev.modes.{judged.id}").set_value(["hybrid", "lexical"]).run()
    new = searched(app, judged)
    state = new.state()
    assert state.status == "finished"
    assert 0 < state.details["spent"]["calls"] == len(llm_server.requests)
    assert state.details["judge"]["calls"] == len(llm_server.requests)
    both = evaluation_of(new, "hybrid").judging
    assert both.calls == len(llm_server.requests) + evaluation_of(judged, "hybrid").judging.calls


def test_a_run_without_a_judge_offers_none():
    one = job(plan(), n=2)
    assert run(one, work()).status == "finished"
    app = open_app(f"job={one.id}", page="evaluate")
    assert not [box for box in app.checkbox if "again_judge" in str(box.key)]
