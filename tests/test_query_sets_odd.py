"""What is odd about a query set has its sentence, on the command line and on the Evaluate page."""

from __future__ import annotations

import json

import pytest

from ir_core import library
from ir_core.cli import main
from ir_core.evaluation.oddities import ALL_TIES, EMPTY, NONE_JUDGED, NONE_RELEVANT, NONE_SEARCHED, ONE_QUERY
from ir_core.library import JudgedQuery
from pages._ui import evaluations, resources
from tests.app import open_app, press, shown

CORPUS = "help_center"
QUERIES = [JudgedQuery("a", "export document to pdf"), JudgedQuery("b", "share a folder")]
GOLD = {"a": {"hc-019": 1}, "b": {"hc-026": 1}}
ODD = {
    "queries without judgements": ({"a": {"hc-019": 1}}, "1 query has no document judged relevant, and is left out."),
    "unknown documents": (
        {**GOLD, "b": {"hc-026": 1, "nowhere": 1}}, "1 judged document is not in the index, so nobody can find it.",
    ),
    "negative relevance": (
        {**GOLD, "b": {"hc-026": 1, "hc-001": -1}}, "1 negative judgement counts as not relevant.",
    ),
    "judged queries that are not there": (
        {**GOLD, "z": {"hc-026": 1}}, "1 judged query is not in the query set, and ignored.",
    ),
    "one query": ({"a": {"hc-019": 1}}, ONE_QUERY),
}  # fmt: skip


@pytest.fixture
def files(tmp_path):
    """Queries and judgements as files, with the options that name them."""

    def write(qrels, queries=QUERIES):
        (tmp_path / "queries.jsonl").write_text(
            "\n".join(json.dumps({"_id": one.id, "text": one.text}) for one in queries), "utf-8"
        )
        rows = [f"{name} 0 {doc} {grade}" for name, found in qrels.items() for doc, grade in found.items()]
        (tmp_path / "judged.qrels").write_text("\n".join(rows), "utf-8")
        return ["--queries", str(tmp_path / "queries.jsonl"), "--qrels", str(tmp_path / "judged.qrels")]

    return write


@pytest.fixture
def told(ready, capsys):
    """What ``evaluate`` says: its exit code, standard output and error."""

    def go(*options):
        code = main(["evaluate", "--corpus", CORPUS, "--embedder", "hashing", "--transforms", "rewrite", *options])
        caught = capsys.readouterr()
        return code, caught.out, caught.err

    return go


@pytest.mark.parametrize("what", ODD)
def test_on_the_command_line(what, told, files):
    qrels, said = ODD[what]
    code, out, err = told(*files(qrels))
    assert code == 0, err
    assert f"note: {said}" in out


def test_on_the_command_line_what_cannot_be_measured_and_what_all_ties(told, files):
    for options, said in (
        (lambda: files({"z": {"hc-019": 1}}), NONE_JUDGED),
        (lambda: files({"a": {"hc-019": 0, "hc-001": -1}}), NONE_RELEVANT),
        (lambda: files(GOLD, [JudgedQuery("a", " ")]), NONE_SEARCHED),
        (lambda: files(GOLD, []), "is blank, so it holds no query"),
        (lambda: files(GOLD, [QUERIES[0]] * 2), "lines 1 and 2, have the same id 'a'"),
        (lambda: ["--query-set", "gone"], "no query set of this corpus named 'gone'"),
        (lambda: ["--query-set", "x", "--queries", "y"], "both name the queries"),
        (lambda: ["--map", "id=x"], "--map is for the columns of --queries"),
    ):
        code, out, err = told(*options())
        assert (code, out) == (2, "")
        assert said in err
    code, out, _ = told(*files({"a": {"nowhere": 1}, "b": {"nowhere": 1}}))
    assert (code, ALL_TIES in out) == (0, True)


def test_sets_says_how_many_judgements_it_leaves_out(ready, files, capsys):
    assert main(["sets", "--corpus", CORPUS, *files({**GOLD, "z": {"hc-026": 1, "hc-001": 0}})]) == 0
    out = capsys.readouterr().out
    assert "2 queries, 2 judgements.\n2 judgements of queries that are not in the set were left out." in out
    for one in library.query_sets(CORPUS)[1:]:
        library.delete_query_set(CORPUS, one.name)


@pytest.fixture
def page(ready):
    """The Evaluate page with this set chosen."""
    app = open_app(page="evaluate")
    app.selectbox(key="ev_corpus").set_value(CORPUS).run()
    made = []

    def go(queries, qrels, change=lambda _: None):
        made.append(library.add_query_set(CORPUS, "Odd", queries, qrels))
        change(made[-1].folder)
        resources.forget_query_sets()
        return app.run().selectbox(key="ev_set").set_value(made[-1].name).run()

    yield go
    for one in library.query_sets(CORPUS)[1:]:
        library.delete_query_set(CORPUS, one.name)


def test_on_the_page(page):
    for qrels, said in ODD.values():
        inside = {name: found for name, found in qrels.items() if name != "z"}
        if inside == qrels:  # judgements of queries that are not there are not kept with a set
            assert said.rstrip(".") in shown(page(QUERIES, qrels))
    assert NONE_JUDGED in shown(page(QUERIES, {}))
    assert NONE_RELEVANT in shown(page(QUERIES, {"a": {"hc-019": 0}}))
    blank = '{"_id": "a", "text": " "}'
    assert NONE_SEARCHED in shown(
        page(QUERIES, GOLD, lambda made: (made / "queries.jsonl").write_text(blank, "utf-8"))
    )
    assert EMPTY in shown(page(QUERIES, GOLD, lambda folder: (folder / "queries.jsonl").write_text("", "utf-8")))


def test_a_run_of_a_set_outlives_it_and_says_when_all_ties(page):
    app = page(QUERIES, {"a": {"nowhere": 1}, "b": {"nowhere": 1}})
    made = library.query_sets(CORPUS)[1]
    app.session_state["ev_transforms"] = ["rewrite"]
    app = press(app.run(), "ev_start")
    one = evaluations.get(app.session_state["ev_run"])
    assert evaluations.RUNNER.wait(one, 60)
    library.delete_query_set(CORPUS, made.name)
    cold = shown(open_app(f"job={one.id}", page="evaluate"))
    assert ALL_TIES in cold
    assert f"of the set {made.name}" in cold
