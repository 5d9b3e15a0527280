"""The command line on real corpora: what it prints, what reproduces a run, and what becomes of bad input."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ir_core.cli import main
from ir_core.cli._answers import SCHEMA_VERSION
from ir_core.cli._main import group
from ir_core.schema import Call
from ir_core.secrets import without_credentials
from tests.llm_server import LlmServer
from tests.test_architecture import HEAVY

ROOT = Path(__file__).parent.parent
HELP = ["--corpus", "help_center", "--embedder", "hashing"]
RESULT_KEYS = {
    "transform", "title", "written_by", "queries", "hits", "latency_s", "cost_usd", "tokens", "calls", "notes",
    "fallback_reason", "skip_reason",
}  # fmt: skip
HIT_KEYS = {
    "rank", "artifact_id", "surface_id", "kind", "title", "score", "contributions", "text", "metadata",
}  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def shared_home(tmp_path_factory):
    return tmp_path_factory.mktemp("cli-home")


@pytest.fixture(autouse=True)
def one_home(home, shared_home, monkeypatch):
    """Indexes are built once for the whole module."""
    monkeypatch.setenv("QUERY_PRISM_HOME", str(shared_home))


@pytest.fixture
def run(capsys):
    """Runs one command line; gives its exit code, standard output and standard error."""

    def go(*arguments: str) -> tuple[int, str, str]:
        code = main(list(arguments))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return go


@pytest.fixture
def answer(run):
    def go(*arguments: str) -> dict:
        code, out, err = run(*arguments, "--json")
        assert code == 0, err
        data = json.loads(out)
        assert data["schema_version"] == SCHEMA_VERSION
        return data

    return go


# the frame


def test_importing_it_and_help_load_nothing_heavy():
    code = (
        "import sys, time\nbegun = time.process_time()\nfrom ir_core.cli import main\n"
        "took = time.process_time() - begun\n"
        "assert main(['--help']) == 0 and main(['compare', '--help']) == 0 and main(['run', '--help']) == 0\n"
        f"print('LOADED', took, *sorted({HEAVY | {'numpy', 'scipy'}!r} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert done.returncode == 0, done.stderr
    _, took, *heavy = done.stdout.splitlines()[-1].split()
    assert heavy == []
    assert float(took) < 0.5


def test_every_command_has_help_and_all_but_run_speak_json(run):
    names = group.list_commands(None)
    assert set(names) >= {"corpora", "index", "search", "compare", "evaluate", "run"}
    for name in names:
        code, out, _ = run(name, "--help")
        assert code == 0
        assert ("--json" in out) is (name != "run"), name


# compare


def test_compare_prints_the_whole_schema_and_its_config_reproduces_the_run(answer):
    found = answer(
        "compare", "locked out of my account", *HELP, "--set", "multi_query.n=2", "--k", "3",
        "--filter", '{"reading_minutes": {"$gte": 1}}', "--surfaces", "document",
    )  # fmt: skip
    assert set(found) == {"schema_version", "query", "config", "startup_s", "results"}
    assert [result["transform"] for result in found["results"]] == [
        "identity", "rewrite", "multi_query", "hyde", "decompose", "step_back",
    ]  # fmt: skip
    for result in found["results"]:
        assert set(result) == RESULT_KEYS
        ids = {query["id"] for query in result["queries"]}
        assert all(set(query) == {"id", "text", "role", "weight", "legs"} for query in result["queries"])
        assert all(set(call) == set(Call.__dataclass_fields__) for call in result["calls"])
        assert [hit["rank"] for hit in result["hits"]] == [1, 2, 3]
        for hit in result["hits"]:
            assert set(hit) == HIT_KEYS
            assert sum(part["share"] for part in hit["contributions"]) == pytest.approx(hit["score"], abs=1e-9)
            assert {part["query_id"] for part in hit["contributions"]} <= ids
    assert found["results"][0]["cost_usd"] == 0
    config = found["config"]
    again = answer(
        "compare", found["query"], "--corpus", config["corpus"], "--strategy", config["strategy"]["name"],
        "--embedder", config["embedder"], "--k1", str(config["k1"]), "--b", str(config["b"]),
        "--mode", config["mode"], "--k", str(config["k"]), "--depth", str(config["depth"]),
        "--filter", json.dumps(config["filter"]), "--surfaces", ",".join(config["surfaces"]),
        "--dense-weight", str(config["weights"]["dense"]), "--lexical-weight", str(config["weights"]["lexical"]),
        "--transforms", ",".join(item["name"] for item in config["transforms"]), "--writer", config["writer"],
        *(f"--set={item['name']}.{key}={value}" for item in config["transforms"]
          for key, value in item["settings"].items()),
    )  # fmt: skip
    assert again["config"] == config
    for one, other in zip(found["results"], again["results"], strict=True):
        assert (one["queries"], one["hits"]) == (other["queries"], other["hits"])


def test_history_reaches_the_config(answer, tmp_path):
    turns = [{"role": "user", "content": "How do I edit offline?"}, {"role": "assistant", "text": "In Settings."}]
    (tmp_path / "turns.json").write_text(json.dumps(turns), "utf-8")
    found = answer(
        "compare", "and on the phone?", *HELP, "--transforms", "rewrite", "--history", str(tmp_path / "turns.json")
    )
    assert found["config"]["history"][1] == {"role": "assistant", "content": "In Settings."}


@pytest.mark.parametrize(
    "query", ["the of and", "🙂🙂", "x " * 5_000, "ß\x00\ud800"], ids=["stop", "emoji", "long", "odd"]
)
def test_odd_queries_are_searched(answer, query):
    found = answer("compare", query, *HELP, "--k", "2")
    assert len(found["results"]) == 6
    assert len(found["query"]) <= 2_000
    if len(query) > 2_000:
        for result in found["results"]:
            assert any("only the first" in note for note in result["notes"]), result["transform"]


def test_an_address_is_kept_without_what_is_secret_in_it():
    assert without_credentials("http://user:secret@gate.example:8080/v1?key=k#f") == "http://gate.example:8080/v1"


@pytest.mark.slow
def test_a_model_behind_a_gateway(answer, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-never-printed")
    with LlmServer() as server:
        found = answer(
            "compare", "who is logged in as me", *HELP, "--transforms", "multi_query",
            "--writer", "openai/test-model", "--base-url", server.base_url,
        )  # fmt: skip
    written = found["results"][1]
    assert (written["cost_usd"], written["fallback_reason"]) == (None, None), "nobody knows this model's price"
    assert written["tokens"]["in"] > 0
    assert written["latency_s"] < 3, "importing the client, 8 seconds, is no part of it"
    assert found["config"]["base_url"] == server.base_url
    assert "sk-never-printed" not in json.dumps(found)


def test_a_samples_own_query_is_compared_with_its_authored_texts_and_any_other_is_not(answer, run):
    options = [*HELP, "--transforms", "rewrite,hyde", "--k", "1"]
    found = answer("compare", "restore a file I deleted yesterday", *options)
    assert [one["written_by"] for one in found["results"]] == [None, "authored", "authored"]
    assert "authored example, not a model's" in run("compare", "restore a file I deleted yesterday", *options)[1]
    other = answer("compare", "get a file back", *options)
    assert [one["written_by"] for one in other["results"]] == [None, "corpus", "corpus"]


@pytest.mark.slow
def test_a_cap_stops_an_llm_politely_and_says_how_to_raise_it(answer, run, llm_server, monkeypatch, tmp_path):
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    file = tmp_path / "texts.jsonl"
    model = ["--writer", "openai/capped-model", "--base-url", llm_server.base_url, *HELP]
    data = answer("compare", "who is logged in", *model, "--max-calls", "2", "--record", str(file))
    fell = [one["fallback_reason"] for one in data["results"] if one["fallback_reason"]]
    assert (len(llm_server.requests), len(fell)) == (2, 3)
    assert all("(2 calls) is reached" in one and one.endswith("Raise --max-calls or --max-usd.") for one in fell)
    assert len(file.read_text("utf-8").splitlines()) == 2, "what a cap refused was not written by anybody"
    code, _, err = run("evaluate", *model, "--limit", "3", "--transforms", "rewrite", "--max-calls", "1")
    assert code == 4
    assert "Paused: The cap of this run (1 call) is reached" in err
    assert "--resume" in err
    code, _, err = run("compare", "x", *model, "--max-usd", "-1")
    assert code != 0
    assert "--max-usd" in err


def test_what_was_recorded_is_replayed_with_the_same_ranking(answer, run, tmp_path):
    file = tmp_path / "r.jsonl"
    options = [*HELP, "--transforms", "rewrite,multi_query", "--k", "3"]
    first = answer("compare", "get a file back", *options, "--record", str(file))
    again = answer("compare", "get a file back", *options, "--writer", f"recorded:{file}")
    assert [one["written_by"] for one in again["results"]] == [None, "recorded", "recorded"]
    assert all(call["recorded"] and call["first_s"] for one in again["results"] for call in one["calls"])
    hits = [[[hit["artifact_id"] for hit in one["hits"]] for one in run_["results"]] for run_ in (first, again)]
    assert hits[0] == hits[1]
    code, _, err = run("compare", "x", *options, "--writer", f"recorded:{file}", "--record", str(file))
    assert code != 0
    assert "A replay is not recorded again" in err


def test_an_evaluation_can_be_recorded_and_has_no_authored_text_in_it(answer, tmp_path):
    file = tmp_path / "r.jsonl"
    options = [*HELP, "--transforms", "rewrite,step_back", "--limit", "6"]
    first = answer("evaluate", *options, "--record", str(file))
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert len(lines) == 12
    assert "restore a file I deleted yesterday" in {line["query"] for line in lines}, "one that has authored texts"
    assert {call["model"] for line in lines for call in line["calls"]} == {"corpus (no LLM)"}
    again = answer("evaluate", *options, "--writer", f"recorded:{file}")
    means = [[column["means"] for column in found["transforms"]] for found in (first, again)]
    assert means[0] == means[1]


# corpora, index, evaluate


# bad input


# what is kept, and what is only looked at


# the page
