"""What the Evaluate page tells before a run and draws after it: one sentence, figures with room, stages, odd sets."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ir_core import library
from ir_core.budget import Estimate, Sent
from ir_core.charts.gains import gains_figure
from ir_core.charts.quality import quality_figure
from ir_core.evaluation import evaluation_of
from ir_core.jobs import JobState, run
from ir_core.library.sets import imported_set
from ir_core.loaders import judged
from pages._ui import resources, run_list
from pages._ui.theme import PALETTE
from pages.evaluate import board, budget
from tests.app import build, open_app, shown
from tests.evaluation_jobs import CORPUS, job, plan, work
from tests.scripted import GOOD, ScriptedWriter

CALLS = Estimate(10, 100, 100, None, None, "one.test", ())


@pytest.mark.parametrize(
    ("hosts", "judge", "said"),
    [
        (["one.test", "one.test"], None, "the queries go to one.test"),
        (["one.test", "two.test"], None, "the queries go to one.test and two.test"),
        (["one.test", "one.test"], "one.test", "the queries and the passages found go to one.test"),
        (
            ["one.test", "one.test"],
            "judge.test",
            "the queries go to one.test; the queries and the passages found go to judge.test",
        ),
        ([None, None], "judge.test", "the queries and the passages found go to judge.test"),
        ([None, None], None, "nothing leaves this machine"),
    ],
)
def test_two_writers_and_a_judge_are_told_in_one_sentence(hosts, judge, said):
    found = [replace(CALLS, sends_to=host, sent=host and Sent(host)) for host in hosts]
    rated = replace(CALLS, calls=7, cost_usd=0.5, sends_to=judge, sent=Sent(judge, passages=True)) if judge else None
    told = budget.line(found, [ScriptedWriter(label="a/b"), ScriptedWriter(label="c/d")], rated)
    rating = " · judge: at most 7 calls, ~$0.5000" if judge else ""
    assert told == f"2 parts · ≈ 20 calls to a/b and c/d · time and cost unknown{rating} · {said}"


def test_the_average_keeps_its_figure_beside_many_queries():
    n = 100
    cells = [[0.1] * (n + 1), [0.2] * (n + 1)]
    figure = gains_figure(
        ["1. Original", "2. Rewrite"], ["Average (100)", *map(str, range(n))], cells, cells, PALETTE
    )
    (drawn,) = figure.data
    edges = list(drawn.x)
    assert len(edges) == n + 2, "edges of the cells"
    assert edges[1] - edges[0] > 10 * (edges[2] - edges[1])
    assert [row[0] for row in drawn.text] == [".10", ".20"]
    assert not any(text for row in drawn.text for text in row[1:])
    assert list(figure.layout.xaxis.ticktext) == ["Average (100)"]


def test_equal_scores_have_room_above_and_below():
    low, high = quality_figure([("A", 0.0, 0.5), ("B", 1.0, 0.5)], [0], "x", "y", PALETTE).layout.yaxis.range
    assert 0.4 < low < 0.5 < high < 0.6


def test_the_page_is_drawn_anew_at_the_first_query_at_each_quarter_and_at_the_end():
    one = job(plan(), n=3)
    state = JobState("running", total=100)
    seen = [run_list._stages([(one, replace(state, done=done))]) for done in range(100)]
    assert [done for done in range(1, 100) if seen[done] != seen[done - 1]] == [1, 25, 50, 75]
    paused = [run_list._stages([(one, replace(state, status="paused", done=done))]) for done in (0, 99)]
    assert paused[0] == paused[1] not in ({}, seen[0]), "paused or deleted in another tab"


def test_an_unknown_cost_is_not_told_as_none_and_a_row_has_the_name_of_its_files():
    one = job(plan(), n=4)
    run(one, work(ScriptedWriter({name: [f"{name} one", "another"] for name in GOOD})))
    found = evaluation_of(one, "hybrid")
    columns = tuple(
        replace(column, rows=tuple(replace(row, cost_usd=None) for row in column.rows)) if slot else column
        for slot, column in enumerate(found.columns)
    )
    found = replace(found, columns=columns)
    sums = [found.summary(column) for column in found.columns]
    table = board.table(found, sums, found.evidence(), mode="hybrid")
    assert table.count("<td>unknown</td>") == len(columns) - 1
    assert all(f'<span class="qp-board-how">{column.transform}' in table for column in columns)


def test_a_set_that_judges_nothing_relevant_says_so():
    build(CORPUS)
    document = next(iter(library.corpus(CORPUS).qrels().values()))
    lines = f"id,query,relevant,grade\nq1,a question,{next(iter(document))},0\n"
    made = imported_set(CORPUS, "", judged.look(("odd.csv", lines.encode())))
    resources.forget_query_sets()
    app = open_app(f"corpus={CORPUS}", page="evaluate")
    app.session_state["ev_set"] = made.name
    assert "No document is judged relevant to any of these queries" in shown(app.run())
