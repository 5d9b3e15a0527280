"""The judge from the command line: figures from 0 to 100, its cost apart, and "not measured" without one."""

from __future__ import annotations

import json

import pytest

from ir_core.cli import main
from ir_core.evaluation.gate_result import TRANSFORMS

pytestmark = [
    pytest.mark.filterwarnings("ignore:Accessing the:DeprecationWarning"),
    pytest.mark.usefixtures("ready"),
]
CORPUS = ["--corpus", "help_center", "--embedder", "hashing"]
MODEL = "openai/test-model"


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "k")


def evaluate(*more):
    few = ["--limit", "3", "--split", "test", "--transforms", "multi_query"]
    return main(["evaluate", *CORPUS, *few, *more])


def by_judge(server, *more):
    return ["--judge", MODEL, "--judge-url", server.base_url, "--judge-price", "1,1", *more]


def test_a_judge_can_be_the_primary_measure(llm_server, capsys):
    llm_server.reply = "60"
    assert evaluate("--measures", "judge@5,recall@5", *by_judge(llm_server, "--answerer"), "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert data["measures"] == ["judge@5", "recall@5", "answered@5", "answer_f1@5"]
    assert [one["means"]["judge@5"] for one in data["transforms"]] == [0.6, 0.6], "0 to 1 inside"
    assert data["transforms"][1]["evidence"]["mean"] == 0
    assert data["judge"]["calls"] == len(llm_server.requests)
    assert data["judge"]["cost_usd"] > 0
    assert data["transforms"][0]["cost_usd"] == 0, "what the judge costs is not the transforms'"
    assert data["config"]["judge"]["writer"] == MODEL
    lists = {tuple(row["surface_ids"][:5]) for one in data["transforms"] for row in one["rows"]}
    assert data["judge"]["lists"] == len(lists)
    assert evaluate("--measures", "judge@5", *by_judge(llm_server)) == 0
    said = capsys.readouterr().out
    assert "60.0" in said
    assert "+0.0 [+0.0, +0.0]" in said
    assert "Repeats differ on 0% of the lists" in said


def test_without_a_judge_it_is_not_measured_and_one_that_cannot_is_refused(capsys):
    assert evaluate("--measures", "recall@5,judge@5") == 0
    assert "not measured" in capsys.readouterr().out
    assert evaluate("--judge", "corpus") == 2
    assert "cannot judge" in capsys.readouterr().err
    assert evaluate("--answerer") == 2
    assert "--answerer needs a model" in capsys.readouterr().err


def test_a_cap_counts_the_judges_calls_and_leaves_the_rest_unmeasured(llm_server, capsys):
    llm_server.reply = "60"
    assert evaluate(*by_judge(llm_server), "--max-calls", "4", "--json") == 4
    data = json.loads(capsys.readouterr().out)
    assert len(llm_server.requests) == 4
    assert data["state"]["why"] == "cap", "a higher one goes on with it"
    assert "The cap of this run (4 calls) is reached" in data["state"]["sentence"]
    assert data["transforms"][0]["means"]["recall@5"] is not None


def test_the_gate_has_a_judges_score_for_each(llm_server, capsys):
    llm_server.reply = lambda body: "70" if "q" in body["messages"][1]["content"] else "?"
    assert main(["gate", *CORPUS, *by_judge(llm_server, "--judge-repeats", "1"), "--json"]) == 3
    data = json.loads(capsys.readouterr().out)
    assert [one["transform"] for one in data["transforms"]] == list(TRANSFORMS)
    assert [one["judge_score"] for one in data["transforms"]] == [70.0] * 4
    assert "or 15 of judge score" in data["reasons"][0]
    assert not any("untested" in note and "judge" in note for note in data["notes"])
    assert set(data["transforms"][0]) >= {
        "transform", "registry_id", "recall@5", "judge_score", "latency_s", "cost_usd",
    }  # fmt: skip
