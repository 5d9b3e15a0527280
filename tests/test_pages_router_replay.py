"""Replays on the Router page: started there, opened cold, and figures that are those of the routes."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from ir_core import build as builds
from ir_core import library
from ir_core.evaluation import Plan, WriterPlan, open_index_of, open_writer_of, paired
from ir_core.evaluation.job import asked_of
from ir_core.evaluation.replay import outcome
from ir_core.evaluation.replay_job import REPLAY, create_replay, replay_of, replay_work, tables_of
from ir_core.jobs import JobStore, run
from ir_core.router import published, save_label
from pages._ui import evaluations, links
from pages.router import plain_oracle, regret, replay_board, replay_figures, threshold
from tests.app import build, open_app, press, shown
from tests.evaluation_jobs import job as an_evaluation
from tests.evaluation_jobs import model
from tests.evaluation_jobs import plan as evaluation_plan
from tests.scripted import GOOD, ScriptedWriter

CORPUS = "help_center"
FREE = WriterPlan()
BASELINES = (("identity", {}), ("multi_query", {}), ("condense", {}))


def finished(decider=("rules", {}), n=6, tables=("ours", "course"), writer=None, writer_plan=FREE, **options):
    """Over ``n`` queries of each half, follow-ups among them."""
    build(CORPUS)
    corpus = library.corpus(CORPUS)
    qrels = corpus.qrels()
    judged = [query for query in corpus.queries() if query.id in qrels]
    chosen = [q for half in ("tune", "test") for q in [one for one in judged if one.split == half][:n]]
    chosen += [query for query in judged if query.history and query not in chosen][:2]
    index = builds.current(CORPUS).manifest.fingerprint
    plan = Plan(CORPUS, index, transforms=BASELINES, measures=("ndcg@10",), writer=writer_plan, **options)
    wanted = [published()[name] for name in tables]
    made = create_replay(plan, wanted, decider, chosen, qrels, title="A replay", store=JobStore())
    run(made, replay_work(lambda p: ((e := open_index_of(p)), writer or open_writer_of(p, e))))
    return made


def test_no_replay_and_no_judgement_have_their_sentences():
    bare = library.add_upload("Bare", [("one.txt", b"One document about plans and prices.")])
    for name in (CORPUS, bare.name):
        build(name)
    app = open_app(page="router")
    app.session_state["rt_part"] = "Replay"
    assert "No replay yet" in shown(app.run())
    app.session_state["corpus"] = bare.name
    app.run()
    assert "has no judged queries here" in shown(app)
    assert app.button(key="rt_start").disabled


def test_what_leaves_the_machine_is_said_before_it_starts(llm_server):
    build(CORPUS)
    app = open_app(page="router")
    state = {"writer": "model", "model": "openai/test-model", "base_url": llm_server.base_url, "rt_part": "Replay"}
    for name, value in state.items():
        app.session_state[name] = value
    host = llm_server.base_url.split("/")[2]
    assert f"turns go to {host}, a server on this machine, and nothing of the documents" in shown(app.run())
    app.session_state["rt_table_box"] = True
    app.run()
    app.session_state["rt.r.multi_hop.t"] = "sequential"
    assert f"turns and the passages found go to {host}, a server on this machine; no file path" in shown(app.run())
    assert llm_server.requests == []


def test_it_starts_from_the_page_and_opens_cold_with_its_figures():
    build(CORPUS)
    tested = next(one for one in library.corpus(CORPUS).queries() if one.split == "test")
    save_label(CORPUS, tested.text, "broad")
    app = open_app(page="router")
    app.session_state["rt_part"] = "Replay"
    app.session_state["rt_split"] = "tune"
    app = press(app.run(), "rt_start")
    one = evaluations.get(app.session_state["rt_run"], REPLAY)
    assert app.query_params["job"] in (one.id, [one.id])
    assert evaluations.RUNNER.wait(one, 300)
    assert one.state().status == "finished", one.state().sentence
    assert tested.text not in [text for text, _ in asked_of(one)["examples"]]
    page = shown(open_app(f"job={one.id}", page="router"))
    for said in ("Routed by Ours", "Always Multi-query", "Muffakir: oracle", "Oracle over four plain settings"):
        assert said in page
    assert "Only one half was replayed" in page
    assert "measures no evidence" in page


def test_the_figures_are_those_of_the_test_half_and_the_best_single_that_of_tune():
    made = finished()
    found, tables = replay_of(made), tables_of(made)
    lines = {line.name: line for line in replay_figures.lines(found, tables, evaluations.plan_of(made))}
    test = [one for one in found if one.row.query.split == "test"]
    values = [outcome(one.row, one.decision, tables["ours"], one.followed.get("ours")).value for one in test]
    plain = [one.row.cells["identity"].value for one in test]
    assert lines["Routed by ours"].mean == pytest.approx(sum(values) / len(values))
    assert lines["Routed by ours"].difference == paired(values, plain)
    (best,) = [name for name in lines if name.endswith("best single of tune")]
    tune = [one for one in found if one.row.query.split == "tune"]
    key = {"Always Original": "identity", "Always Multi-query": "multi_query", "Always Condense": "condense"}
    means = {name: sum(one.row.cells[cell].value for one in tune) for name, cell in key.items()}
    assert means[best.removesuffix(", the best single of tune")] == pytest.approx(max(means.values()))
    assert lines["ours: oracle"].mean >= lines["Routed by ours"].mean
    assert lines["Routed by ours"].regret == pytest.approx(lines["ours: oracle"].mean - lines["Routed by ours"].mean)


def test_the_plain_oracle_is_no_lower_than_the_setting_that_was_replayed():
    made = finished()
    found = replay_of(made)
    values = plain_oracle.values(made, evaluations.plan_of(made), found)
    assert all(best >= one.row.cells["identity"].value - 1e-9 for best, one in zip(values, found, strict=True))
    low = replay_figures.Line("x: oracle", 0.5)
    assert replay_board.headroom([low, replay_figures.Line(replay_figures.PLAIN_ORACLE, 0.6)])
    assert not replay_board.headroom([low, replay_figures.Line(replay_figures.PLAIN_ORACLE, 0.4)])


def test_another_threshold_is_what_a_replay_at_that_threshold_gives():
    low, high = (finished(("signal", {"threshold": value}), n=5) for value in (0.1, 0.9))
    table = published()["ours"]
    moved = replay_figures.with_threshold(replay_of(low), 0.9)
    alone = [one for one in moved if not one.followed]
    there = {one.row.query.id: one for one in replay_of(high)}
    assert [one.decision.keeps_original for one in moved] == [
        there[one.row.query.id].decision.keeps_original for one in moved
    ]
    assert [one.value for one in replay_figures.outcomes(alone, table)] == [
        one.value for one in replay_figures.outcomes([there[one.row.query.id] for one in alone], table)
    ]
    assert threshold.best(replay_of(low), table) in threshold.FINE
    page = shown(open_app(f"job={low.id}", page="router"))
    assert "on the tune half" in page


def test_regret_is_worst_first_and_its_links_open_in_compare():
    made = finished(n=10)
    found, plan, tables = replay_of(made), evaluations.plan_of(made), tables_of(made)
    told = sorted(replay_figures.outcomes(found, tables["course"]), key=lambda one: -one.regret)
    assert told[0].regret > 0
    by_id = {one.row.query.id: one for one in found}
    routes = [published()["course"].route("broad"), None]
    link = regret.in_compare(plan, by_id[told[0].query_id], routes)
    read = links.read(parse_qs(urlsplit(links.url("http://localhost/", link)).query), [CORPUS])
    assert read.problems == []
    assert read.link.query == by_id[told[0].query_id].row.query.text
    assert [name for name, _ in read.link.transforms] == ["identity", "multi_query"]


def test_a_run_of_the_other_page_is_said_to_be_one():
    one = an_evaluation(evaluation_plan(), n=3)
    assert "Open it on the Evaluate page" in shown(open_app(f"job={one.id}", page="router"))
    made = finished(n=1)
    assert "Open it on the Router page" in shown(open_app(f"job={made.id}", page="evaluate"))


def test_at_a_cap_it_waits_and_a_higher_one_lets_it_go_on(llm_server):
    scripted = ScriptedWriter({name: [f"{name} one", "another", "a third"] for name in GOOD})
    made = finished(n=1, writer=scripted, max_calls=2, writer_plan=model(llm_server.base_url, needs_key=False))
    app = open_app(f"job={made.id}", page="router")
    assert "Paused: the cap is reached" in shown(app)
    box = next(one for one in app.number_input if one.label == "Calls at most" and not one.key)
    box.set_value(900)
    next(one for one in app.button if one.label == "Resume with this cap").click().run()
    again = JobStore().get(made.id)
    assert evaluations.RUNNER.wait(again, 120)
    assert again.state().status == "finished", again.state().sentence
    assert (evaluations.plan_of(again).max_calls, tables_of(again)) == (900, tables_of(made))
