"""The Evaluate page with several indexes and writers: chosen, estimated, one table over all, each part, files."""

from __future__ import annotations

import csv
import io
import json
import shutil
import zipfile
from urllib.parse import parse_qs, urlsplit

import pytest

from ir_core import build, session
from ir_core.errors import WriterError
from ir_core.evaluation import Plan, WriterPlan, evaluation_of, open_index_of, work_of
from ir_core.evaluation.overview import overview
from ir_core.index.folders import corpus_folder
from ir_core.jobs import run
from pages._ui import evaluations, links, resources
from pages.corpus import two_strategies_build as beside
from pages.evaluate import taking
from tests.app import open_app, press, shown
from tests.evaluation_jobs import CORPUS, job, plan, work
from tests.scripted import GOOD, ScriptedWriter

PLAIN, LOUD = WriterPlan("plain", "Plain"), WriterPlan("loud", "Loud")
FEW = (("identity", {}), ("rewrite", {}))


pytestmark = pytest.mark.usefixtures("ready")


def chunked(size=300):
    made = session.prepare(CORPUS, embedder="hashing", strategy={"name": "chunked", "params": {"chunk_size": size}})
    return made.build(make_current=False).manifest.fingerprint


def several(size=300, **options):
    made = plan(transforms=FEW, measures=("ndcg@10",), **options)
    return made.crossed([(made.index, "Whole text"), (chunked(size), "Chunks")], (PLAIN, LOUD))


def table(app, column):
    """The one with such a column; the box of query sets has one, too."""
    return next(one.value for one in app.dataframe if column in one.value.columns)


def by(**writers):
    return work_of(lambda made: (open_index_of(made), writers[made.writer.name]))


def scripted(text):
    return ScriptedWriter(dict.fromkeys(GOOD, lambda task: [f"{text} {task.query}"]))


@pytest.fixture(scope="module")
def finished(built):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUERY_PRISM_HOME", str(built))
        one = job(several(modes=("hybrid", "lexical")), n=8)
        assert run(one, by(plain=scripted("reset a password"), loud=scripted("export"))).status == "finished"
    return one


def test_one_table_over_all_parts_and_each_part_below(finished):
    made = Plan.from_json(finished.spec)
    app = open_app(f"job={finished.id}", page="evaluate")
    page = shown(app)
    assert "2 strategies × 2 writers" in page
    assert "32 of 32 queries in 4 parts" in page
    rows = table(app, "to the first row")
    assert len(rows) == 2 * (2 + 4), "an original for each index and mode, a transform for each part and mode"
    assert (rows["transform"][0], rows["index"][0], rows["writer"][0]) == ("Original", "Whole text", "–")
    first = evaluation_of(finished, "hybrid")
    assert rows["nDCG@10"][0] == pytest.approx(first.summary(first.columns[0]).means["ndcg@10"])
    rest = list(rows["nDCG@10"][1:])
    assert rest == sorted(rest, reverse=True)
    app.selectbox(key=f"ev.part.{finished.id}").select(3).run()
    found = evaluation_of(finished, "hybrid", 3)
    value = found.summary(found.columns[1]).means["ndcg@10"]
    assert f"{value:.3f}" in shown(app)
    app.session_state[f"ev.view.{finished.id}"] = "Query by query"
    app.run()
    read = links.read(parse_qs(urlsplit(table(app, "look")["look"][0]).query), [CORPUS])
    assert (read.link.index, read.link.strategy) == (made.parts()[3].index, "Chunks")
    app.session_state[f"ev.view.{finished.id}"] = "Beside another run"
    app.run()
    assert len(table(app, "this run")) == 2, "its own other parts are there to be compared with"


def test_the_overview_pairs_query_by_query(finished):
    made = Plan.from_json(finished.spec)
    places = [(part, mode) for part in range(4) for mode in ("hybrid", "lexical")]
    found = {place: evaluation_of(finished, place[1], place[0]) for place in places}
    lines = overview(made, {
        place: (one, [one.summary(column, compared=["ndcg@10"]) for column in one.columns], one.evidence())
        for place, one in found.items()
    })  # fmt: skip
    base = {row.query_id: row.scores["ndcg@10"] for row in found[0, "hybrid"].columns[0].rows}
    for line in lines[1:]:
        rows = found[line.part, line.mode].columns[line.slot].rows
        expected = sum(row.scores["ndcg@10"] - base[row.query_id] for row in rows) / len(rows)
        assert line.apart.mean == pytest.approx(expected)
    assert lines[0].apart is None


def test_files_hold_every_part(finished):
    rows = list(csv.DictReader(io.StringIO(taking.to_csv(finished).decode("utf-8-sig"))))
    assert len(rows) == 4 * 2 * 2 * 8
    assert {(row["strategy"], row["writer"]) for row in rows} == {
        (index, writer) for index in ("Whole text", "Chunks") for writer in ("Plain", "Loud")
    }
    data = json.loads(taking.to_json(finished))
    assert [(one["name"], sorted(one["modes"])) for one in data["parts"]] == [
        (part.part_name, ["hybrid", "lexical"]) for part in Plan.from_json(finished.spec).parts()
    ]
    with zipfile.ZipFile(io.BytesIO(taking.to_trec(finished))) as archive:
        names = [name for name in archive.namelist() if name.endswith(".run")]
    assert len(names) == len(set(names)) == 4 * 2 * 2
    page = taking.to_html(finished).decode()
    assert "4. Chunks · Loud · lexical retrieval, 8 queries" in page


def test_a_part_that_is_gone_says_why_and_the_others_stand():
    one = job(several(size=500), n=4)
    shutil.rmtree(corpus_folder(CORPUS) / Plan.from_json(one.spec).parts()[2].index)
    assert run(one, by(plain=scripted("a"), loud=scripted("b"))).status == "finished"
    app = open_app(f"job={one.id}", page="evaluate")
    page = shown(app)
    assert "Chunks · Loud: 0 of 4 queries" in page
    assert "is gone" in page
    assert set(table(app, "to the first row")["index"]) == {"Whole text"}


def test_indexes_writers_samples_filter_and_kinds_go_into_the_plan(llm_server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    now, other = build.current(CORPUS).manifest.fingerprint, chunked()
    app = open_app("corpus=help_center", page="evaluate")
    app.session_state["ev_transforms"] = ["rewrite", "hyde"]
    app.session_state["ev_split"] = "tune"
    app.session_state["writer"], app.session_state["model"] = "model", "openai/test-model"
    app.session_state["base_url"] = llm_server.base_url
    app.multiselect(key=f"ev_indexes.{CORPUS}").set_value([now, other]).run()
    app.multiselect(key="ev_writers").set_value(["current", "corpus"]).run()
    app.number_input(key="ev_samples").set_value(2).run()
    app.text_area(key=f"ev.{CORPUS}.filter_json").set_value('{"area": "files"}').run()
    app.checkbox(key="ev_controls").check().run()
    page = shown(app)
    assert "4 parts" in page
    assert "the queries and their earlier turns go to 127.0.0.1" in page
    assert build.current(CORPUS).manifest.fingerprint == now
    app = press(app, "ev_start")
    one = evaluations.get(app.session_state["ev_run"])
    evaluations.cancel(one)
    assert evaluations.RUNNER.wait(one, 60)
    made = Plan.from_json(one.spec)
    assert [(part.index, part.writer.name) for part in made.parts()] == [
        (index, name) for index in (now, other) for name in ("openai/test-model", "corpus")
    ]
    assert (made.samples, made.filter, made.controls) == (2, {"area": "files"}, ("dense", "lexical"))
    app.text_area(key=f"ev.{CORPUS}.filter_json").set_value("{area").run()
    assert "The filter is not JSON" in shown(app)
    assert app.button(key="ev_start").disabled


def test_another_strategy_is_built_for_the_run_and_chosen_and_the_one_in_use_stays():
    now = build.current(CORPUS).manifest.fingerprint
    app = open_app("corpus=help_center", page="evaluate")
    app.toggle(key="ev_build_toggle").set_value(True).run()
    app = press(app, "beside_build")
    building = resources.builds().get(app.session_state[beside.JOB] or "")
    for _ in range(200):
        if building is None or building.is_over:
            break
        building.wait(len(building.events), 1.0)
    app.run()
    assert app.session_state[f"ev_indexes.{CORPUS}"][0] == now
    assert build.current(CORPUS).manifest.fingerprint == now
    assert "2 parts" in shown(app)


def test_a_writer_that_fails_is_said_with_a_way_on_and_the_controls_are_rows():
    one = job(plan(transforms=FEW, controls=("dense", "lexical")), n=12)
    failing = ScriptedWriter(dict.fromkeys(GOOD, WriterError("The server says 401: no such key.")))
    assert run(one, work(failing)).why == "writer"
    app = open_app(f"job={one.id}", page="evaluate")
    page = shown(app)
    assert "Paused: the writer fails" in page
    assert "no such key" in page
    assert not app.button(key=f"ev.resume.open.{one.id}").disabled
    assert run(one, work(scripted("reset"))).status == "finished"
    page = shown(open_app(f"job={one.id}", page="evaluate"))
    assert "Control: dense list doubled" in page
    assert "Control: lexical list doubled" in page
