"""Which queries a run says it asked: the first so many, a category, or those of a file, and not more than that."""

from __future__ import annotations

import pytest

from ir_core import library
from ir_core.cli import main
from ir_core.cli._evaluate_plan import _asked
from ir_core.evaluation import Plan, again
from ir_core.jobs import JobStore
from pages.evaluate import words
from pages.evaluate.taking import to_html
from tests.evaluation_jobs import CORPUS, plan

NONE = {"category": None, "split": None, "limit": None, "queries_file": None, "query_set": None}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "all judged queries"),
        ({"limit": 100_000}, "all judged queries"),
        ({"limit": 12}, "the first 12 queries"),
        ({"limit": 12, "query_set": "asked"}, "the first 12 queries of the set asked"),
        ({"query_set": "asked"}, "all judged queries of the set asked"),
        ({"queries_file": "/tmp/asked.jsonl"}, "all judged queries of asked.jsonl"),
        ({"category": "multi_hop"}, "all judged queries of category multi_hop"),
        (
            {"category": "multi_hop,typo", "split": "tune", "limit": 1},
            "the first query of category multi_hop or typo of the tune half",
        ),
        ({"split": "test"}, "the test half"),
    ],
)
def test_the_selection_is_said_and_only_where_it_leaves_some_out(options, said):
    queries = [
        library.JudgedQuery(f"q{n}", "?", category=("multi_hop", "typo")[n % 2], split=("tune", "test")[n // 10])
        for n in range(20)
    ]
    selection = _asked(queries, {**NONE, **options})[2]
    made = plan(selection=selection, split=options.get("split") or "all", query_set=options.get("query_set"))
    assert Plan.from_json(made.to_json()).asked_words == said


def test_a_command_s_run_says_so_on_the_page_in_its_report_and_when_searched_again(capsys):
    assert main([
        "evaluate", "--corpus", CORPUS, "--embedder", "hashing", "--mode", "hybrid", "--limit", "3",
        "--transforms", "rewrite", "--json",
    ]) == 0  # fmt: skip
    [job] = JobStore().jobs()
    made = Plan.from_json(job.spec)
    assert " · the first 3 queries · " in words.about(job, made)
    assert "the first 3 queries" in to_html(job).decode()
    repeated = again(job, made.searched_again(None, ["lexical"]), store=JobStore())
    assert "the first 3 queries" in words.about(repeated, Plan.from_json(repeated.spec))
