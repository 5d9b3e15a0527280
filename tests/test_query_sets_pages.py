"""Query sets on the pages: marked on Compare, imported and chosen on Evaluate."""

from __future__ import annotations

import pytest

from ir_core import library
from ir_core.evaluation import Plan
from ir_core.evaluation.synthetic import ASK_TASK
from ir_core.library import JudgedQuery, sets
from pages._ui import evaluations, resources
from tests.app import open_app, press, shown
from tests.scripted import ScriptedWriter

CORPUS = "help_center"
QUERY = "export document to pdf"
CSV = b"qid,question,kind,gold\na1,how do I export,simple,hc-019;hc-020\na2,=share(),,hc-026\n"
HOSTILE = '<img src=x onerror="y">'


@pytest.fixture
def _swept(ready):
    yield
    for one in library.query_sets(CORPUS)[1:]:
        library.delete_query_set(CORPUS, one.name)


def mark(app, said):
    [control] = [one for one in app.button_group if (one.key or "").startswith("mark-")]
    return control.set_value(said).run()


@pytest.mark.usefixtures("_swept")
def test_marks_on_compare_make_a_set_that_evaluate_offers():
    app = open_app(f"corpus={CORPUS}&q={QUERY}&k=3&t=rewrite")
    assert "judged relevant" in shown(app)
    app = press(app, "open-0-2")
    document = documents_of(app)[1]
    assert "So say the corpus’ own judgements" in shown(app)
    mark(app, "right")
    made = sets.hand_made(CORPUS)
    [query] = made.queries()
    assert (query.text, made.qrels()[query.id][document]) == (QUERY, 1)
    app = app.run()
    assert "marked right" in shown(app)
    assert "2 documents right, 17 wrong; 1 of them marked by hand" in shown(app)
    category_box(app).set_value("broad").run()
    assert sets.hand_made(CORPUS).queries()[0].category == "broad"
    assert "marked right" not in shown(press(app, "unmark"))
    assert sets.hand_made(CORPUS) is None


def category_box(app):
    [found] = [one for one in app.selectbox if one.label == "Category of this query"]
    return found


def documents_of(app):
    """Artifact ids of the original's hits, in their order."""
    job = resources.runs().get(app.session_state["run"])
    first = next(event.result for event in job.events if event.result is not None and event.slot == 0)
    return [hit.artifact_id for hit in first.fused.hits]


@pytest.mark.usefixtures("_swept")
def test_a_table_is_mapped_seen_kept_measured_and_deleted():
    app = open_app(page="evaluate")
    app.selectbox(key="ev_corpus").set_value(CORPUS).run()
    app.session_state["ev_set_way"] = "import"
    app = app.run()
    app.file_uploader(key="ev_set_file").set_value((f"{HOSTILE}.csv", CSV, "text/csv")).run()
    assert "2 queries" in shown(app)
    boxes = {one.label: one for one in app.selectbox if (one.key or "").startswith("ev_map.")}
    assert {name: box.value for name, box in boxes.items() if box.value != "–"} == {
        "Id": "qid", "Query": "question", "Category": "kind", "Relevant documents": "gold",
    }  # fmt: skip
    boxes["Query"].set_value("–").run()
    assert "no column that is known to hold the query" in shown(app)
    app.selectbox(key=boxes["Query"].key).set_value("question").run()
    app = press(app, "ev_set_keep")
    made = library.query_sets(CORPUS)[1]
    assert app.session_state["ev_set"] == made.name
    page = shown(app)
    assert "2 queries are measured" in page
    assert HOSTILE not in page
    app.session_state["ev_transforms"] = ["rewrite"]
    app = press(app.run(), "ev_start")
    one = evaluations.get(app.session_state["ev_run"])
    assert Plan.from_json(one.spec).query_set == made.name
    evaluations.RUNNER.wait(one, 60)
    app = press(app, "ev_set_delete")
    assert "The set was deleted" in shown(app)
    assert app.session_state["ev_set"] == "own"


@pytest.mark.usefixtures("_swept")
def test_the_router_replays_a_set_too():
    made = library.add_query_set(CORPUS, "Mine", [JudgedQuery("a", QUERY, split="test")], {"a": {"hc-019": 1}})
    app = open_app(f"corpus={CORPUS}", page="router")
    app.session_state["rt_part"] = "Replay"
    app.run().selectbox(key="rt_set").set_value(made.name).run()
    assert "1 query · ≈" in shown(app)
    app = press(app, "rt_start")
    one = evaluations.get(app.session_state["rt_run"])
    assert evaluations.RUNNER.wait(one, 60)
    assert (one.state().total, f"of the set {made.name}" in shown(app.run())) == (1, True)


@pytest.mark.usefixtures("_swept")
def test_questions_are_written_kept_and_chosen_with_their_overlap(monkeypatch):
    writer = ScriptedWriter({ASK_TASK: lambda task: [f"what of {task.query}"]}, tasks=frozenset({ASK_TASK}))
    monkeypatch.setattr("pages.evaluate.query_sets_synthetic.writers.open_chosen", lambda *_: writer)
    app = open_app(f"corpus={CORPUS}", page="evaluate")
    app.session_state["ev_set_way"] = "write"
    app.run().number_input(key="ev_ask_n").set_value(4).run()
    assert "≈ 4 calls" in shown(app)
    app = press(app, "ev_ask")
    if job := resources.askings().get(app.session_state["ev_asking"]):  # else it was over before the page was drawn
        job.wait(99, 30)
        assert job.is_over
        app.run()
    page = shown(app)
    made = library.query_sets(CORPUS)[1]
    assert (app.session_state["ev_set"], made.kind, made.n_queries) == (made.name, "synthetic", 4)
    for said in ("4 synthetic questions written", "100% of a question’s words", "4 queries are measured"):
        assert said in page


@pytest.mark.usefixtures("_swept")
def test_a_writer_that_cannot_ask_says_so_and_public_sets_need_one_s_own_machine(monkeypatch):
    app = open_app(page="evaluate")
    app.selectbox(key="ev_corpus").set_value(CORPUS).run()
    app.session_state["ev_set_way"] = "write"
    assert "cannot do questions about passages" in shown(app.run())
    assert app.button(key="ev_ask").disabled
    app.session_state["ev_set_way"] = "public"
    monkeypatch.setattr("pages.evaluate.query_sets_public.serving.on_this_machine", lambda: False)
    assert "on a server of one&#x27;s own only" in shown(app.run())
