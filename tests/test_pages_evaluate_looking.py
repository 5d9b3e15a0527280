"""What stands below the leaderboards: figures with tables, query by query, two runs side by side, the files."""

from __future__ import annotations

import io
import json
import zipfile
from urllib.parse import parse_qs, urlsplit

import pytest

from ir_core.evaluation import evaluation_of
from ir_core.evaluation.slices import outcomes
from ir_core.jobs import run
from pages._ui import links
from pages.evaluate import side_by_side, taking
from tests.app import open_app, shown
from tests.evaluation_jobs import CORPUS, job, plan, work


@pytest.fixture
def finished():
    one = job(plan(modes=("hybrid", "lexical")))
    run(one, work())
    return one


def table_with(app, column):
    """The last one that has it: the box of query sets and the table over all modes stand above."""
    return [one.value for one in app.dataframe if column in one.value.columns][-1]


def look(one, view):
    app = open_app(f"job={one.id}", page="evaluate")
    app.session_state[f"ev.view.{one.id}"] = view
    return app.run()


def test_each_view_has_a_table_that_says_what_its_figure_says(finished):
    found = evaluation_of(finished, "hybrid")
    app = look(finished, "Quality and cost")
    table = table_with(app, "dollars per 1,000")
    assert list(table["nDCG@10"]) == pytest.approx([found.summary(one).means["ndcg@10"] for one in found.columns])
    app = look(finished, "By category")
    table = table_with(app, "1. Original")
    assert str(table["category"][0]) == "Average (12)"
    assert table["1. Original"][0] == f"{found.summary(found.columns[0]).means['ndcg@10']:.3f}"


def test_queries_are_filtered_by_outcome_and_lead_into_compare(finished):
    found = evaluation_of(finished, "hybrid")
    app = look(finished, "Query by query")
    app.selectbox(key=f"ev.slot.{finished.id}").select(2).run()
    made = outcomes(found, 2, "ndcg@10")
    for kind in ("improved", "same", "worse"):
        app.session_state[f"ev.outcome.{finished.id}"] = [kind]
        app.run()
        wanted = {one.row.text for one in made if one.outcome == kind}
        if not wanted:
            assert "No query is left with this filter" in shown(app)
            continue
        table = table_with(app, "look")
        assert set(table["query"]) == wanted
    app.session_state[f"ev.outcome.{finished.id}"] = []
    app.run()
    table = table_with(app, "look")
    assert len(table) == len(made)
    read = links.read(parse_qs(urlsplit(table["look"][0]).query), [CORPUS])
    assert not read.problems
    assert (read.link.query, read.link.corpus, read.link.mode) == (table["query"][0], CORPUS, "hybrid")
    assert [name for name, _ in read.link.transforms] == ["identity", "multi_query"]


def test_two_runs_are_compared_on_the_queries_both_have(finished):
    fewer = job(plan(modes=("hybrid",)), n=5)
    run(fewer, work())
    same = side_by_side.lines(evaluation_of(finished, "hybrid"), evaluation_of(fewer, "hybrid"), "ndcg@10")
    assert [row["n"] for row in same] == [5, 5, 5]
    assert {row["won / tied / lost"] for row in same} == {"0 / 5 / 0"}
    page = shown(look(fewer, "Beside another run"))
    assert "that both scored" in page


def test_the_newest_run_that_has_something_in_common_stands_beside(finished):
    newer = job(plan(measures=("recall@3",))), job(plan(measures=("recall@4",)))
    for other in newer:
        run(other, work())
    fewer = job(plan(modes=("hybrid",)), n=5)
    run(fewer, work())
    app = look(fewer, "Beside another run")
    assert "that both scored" in shown(app)
    chosen = app.selectbox(key=f"ev.beside.{fewer.id}")
    assert chosen.value[:2] == (finished.id, "hybrid")
    chosen.select_index(0).run()
    assert "no measure or no query in common" in shown(app)
    assert app.selectbox(key=f"ev.beside.{fewer.id}").value[0] in {one.id for one in newer}


def test_files_hold_every_mode(finished):
    with zipfile.ZipFile(io.BytesIO(taking.to_trec(finished))) as archive:
        names = archive.namelist()
    assert [name for name in names if name.startswith("runs/lexical/")] == [
        "runs/lexical/1-identity.run", "runs/lexical/2-rewrite.run", "runs/lexical/3-multi_query.run",
    ]  # fmt: skip
    page = taking.to_html(finished).decode()
    assert "Hybrid retrieval, 12 queries" in page
    assert "Lexical retrieval, 12 queries" in page
    rows = json.loads(taking.to_json(finished))["modes"]["hybrid"]["transforms"][0]["rows"]
    assert all("unjudged" in row for row in rows)
