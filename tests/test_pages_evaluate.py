"""The Evaluate page without a browser, on an index that is really built."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from html import unescape

import pytest

from ir_core.evaluation import Plan, evaluation_of
from ir_core.jobs import JobStore, run
from pages._ui import evaluations, keys
from pages.evaluate import board, taking, words
from tests.app import build, everything_in, open_app, press, shown
from tests.evaluation_jobs import CORPUS, job, model, plan, work
from tests.scripted import GOOD, ScriptedWriter

KEY = "marker51d0-typed-into-the-evaluate-page"


def scripted():
    return ScriptedWriter({name: [f"{name} one", "another", "a third"] for name in GOOD})


@pytest.fixture
def finished():
    one = job(plan())
    run(one, work(scripted()))
    return one


def start(app):
    app = press(app, "ev_start")
    one = evaluations.get(app.session_state["ev_run"])
    assert app.query_params["job"] in (one.id, [one.id])
    return app, one


def test_nothing_yet_has_its_sentences():
    app = open_app(page="evaluate")
    assert "has no index to search yet" in shown(app)
    assert "No run yet" in shown(app)


@pytest.mark.parametrize(("asked", "way_out"), [("pause", "Resume goes on"), ("cancel", "Start a new run")])
@pytest.mark.usefixtures("ready")
def test_a_run_that_stopped_before_any_query_was_through_says_so(asked, way_out):
    one = job(plan())

    def stops(handle):
        one.request(asked)
        handle.check()

    run(one, stops)
    page = shown(open_app(f"job={one.id}", page="evaluate"))
    assert f"No query came through all transforms, so there is no figure to show. {way_out}" in page


def test_a_run_from_start_to_leaderboard_and_a_link_that_opens_it_cold():
    build(CORPUS)
    app = open_app(page="evaluate")
    assert "115 queries are measured" in shown(app)
    assert "texts to write, $0, nothing leaves this machine" in shown(app)
    app.session_state["ev_transforms"] = ["rewrite"]
    app.session_state["ev_split"] = "tune"
    app, one = start(app.run())
    made = Plan.from_json(one.spec)
    assert (made.split, [name for name, _ in made.transforms]) == ("tune", ["identity", "rewrite"])
    assert made.measures[0] == "ndcg@10"
    assert evaluations.RUNNER.wait(one, 120)
    assert one.state().status == "finished"
    cold = open_app(f"job={one.id}", page="evaluate")
    page = shown(cold)
    assert "Finished" in page
    assert "nDCG@10" in page
    for column in evaluation_of(one, "hybrid").columns:
        assert column.titles[0] in page
    for proof in evaluation_of(one, "hybrid").evidence()[1:]:
        assert words.verdict(proof) in page


def test_a_link_to_a_run_that_is_gone_says_so():
    app = open_app("job=20200101-000000-00000000", page="evaluate")
    assert "is gone" in shown(app)
    app = press(app, "ev_close_gone")
    assert "is gone" not in shown(app)


def test_the_leaderboard_has_the_figures_of_the_evaluation_and_warns_of_a_small_n(finished):
    found = evaluation_of(finished, "hybrid")
    sums = [found.summary(column) for column in found.columns]
    proof = found.evidence()
    html = board.table(found, sums, proof, mode="hybrid")
    cells = [unescape(re.sub("<[^>]+>", "|", row)) for row in html.split("<tr>")[2:]]
    for column, total, said, row in zip(found.columns, sums, proof, cells, strict=True):
        assert f"|{total.means['ndcg@10']:.3f}|" in row
        if column is not found.columns[0]:
            one = total.difference["ndcg@10"]
            assert f"|{one.wins} / {one.ties} / {one.losses}|" in row
            assert words.interval(said) in row
            assert words.verdict(said) in row
    assert any("Only 12 queries" in said for _, said in board.remarks(found, sums, proof))


def test_exports_are_the_rows_and_the_plan(finished):
    found = evaluation_of(finished, "hybrid")
    lines = list(csv.DictReader(io.StringIO(taking.to_csv(finished).decode("utf-8-sig"))))
    rows = [row for column in found.columns for row in column.rows]
    assert [(line["query_id"], float(line["ndcg@10"])) for line in lines] == [
        (row.query_id, row.scores["ndcg@10"]) for row in rows
    ]
    data = json.loads(taking.to_json(finished))
    assert Plan.from_json(data["plan"]) == Plan.from_json(finished.spec)
    assert data["modes"]["hybrid"]["transforms"] == json.loads(json.dumps(found.to_json()["transforms"]))


def test_another_search_of_the_same_texts_is_a_run_of_its_own(finished):
    app = open_app(f"job={finished.id}", page="evaluate")
    app.number_input(key=f"ev.k.{finished.id}").set_value(3).run()
    app = press(app, f"ev.again.{finished.id}")
    new = evaluations.get(app.session_state["ev_run"])
    assert new.id != finished.id
    assert evaluations.RUNNER.wait(new, 60)
    assert new.state().status == "finished"
    assert Plan.from_json(new.spec).measures[0] == "ndcg@3"
    assert [line["text"] for line in new.lines("texts.jsonl").read()] == [
        line["text"] for line in finished.lines("texts.jsonl").read()
    ]


def test_a_run_can_be_deleted(finished):
    app = open_app(f"job={finished.id}", page="evaluate")
    app = press(app, f"ev.delete.list.{finished.id}").run()
    assert JobStore().jobs() == []
    assert "No run yet" in shown(app)


def test_a_run_without_its_key_says_where_to_type_it_and_goes_on(llm_server):
    """As after a restart: its state says running, and no process has it."""
    one = job(plan(writer=model(llm_server.base_url, label="openai/test-model", needs_key=True)), n=3)
    app = open_app(f"job={one.id}", page="evaluate")
    page = shown(app)
    assert "Paused: needs key" in page
    assert "Type it for openai/test-model" in page
    assert app.button(key=f"ev.resume.open.{one.id}").disabled
    app.text_input(key="ev_key").set_value(KEY).run()
    app = press(app, f"ev.resume.open.{one.id}")
    assert evaluations.RUNNER.wait(one, 120)
    assert one.state().status == "finished"
    sent = {
        request.headers.get("Authorization") or request.headers["authorization"] for request in llm_server.requests
    }
    assert sent == {f"Bearer {KEY}"}
    assert len(llm_server.requests) == 6
    app.run()
    assert KEY not in shown(app) + everything_in(app)
    assert not [path for path in one.folder.iterdir() if KEY.encode() in path.read_bytes()]
    keys.KEPT.forget(app.session_state["visit"])


def test_at_a_cap_it_waits_for_a_higher_one(llm_server):
    one = job(plan(writer=model(llm_server.base_url, needs_key=False), max_calls=2), n=3)
    run(one, work(scripted()))
    app = open_app(f"job={one.id}", page="evaluate")
    page = shown(app)
    assert "Paused: the cap is reached" in page
    assert "Raise the cap of this run" in page
    assert app.button(key=f"ev.resume.list.{one.id}").disabled


@pytest.mark.parametrize("title", ['<img src=x onerror="a()">', "![x](http://198.51.100.7/a.png)", "مركز المساعدة"])
def test_titles_are_shown_as_text(finished, title):
    replace(finished, title=title).write()
    page = shown(open_app(f"job={finished.id}", page="evaluate"))
    assert "<img" not in page
