"""Writers on the command line: whose texts they are and what they took, asking anew, prices, recordings."""

from __future__ import annotations

import json
import re
import time

import pytest

from ir_core.cli import main
from ir_core.cli._tables import columns, plain

HELP = ["--corpus", "help_center", "--embedder", "hashing"]
QUERY = "who is logged in as me"


@pytest.fixture(scope="module", autouse=True)
def shared_home(tmp_path_factory):
    return tmp_path_factory.mktemp("cli-home")


@pytest.fixture(autouse=True)
def one_home(home, shared_home, monkeypatch):
    """Indexes are built once for the whole module."""
    monkeypatch.setenv("QUERY_PRISM_HOME", str(shared_home))
    monkeypatch.setenv("OPENAI_API_KEY", "k")


@pytest.fixture
def run(capsys):
    def go(*arguments: str) -> tuple[int, str, str]:
        code = main(list(arguments))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return go


@pytest.mark.slow
def test_a_kept_reply_is_called_cached_and_can_be_asked_anew(run, llm_server):
    command = [
        "compare", QUERY, *HELP, "--transforms", "rewrite", "--writer", "openai/kept-model", "--base-url",
        llm_server.base_url, "--price", "1000,2000",
    ]  # fmt: skip
    first, again, anew = run(*command)[1], run(*command)[1], run(*command, "--no-cache")[1]
    cost = re.search(r"== Rewrite  \(.+, (\$[0-9.]+)\)", first).group(1)
    assert re.search(rf"== Rewrite  \(.+, \$0, cached; first .+ m?s, {re.escape(cost)}\)", again)
    assert "cached" not in anew
    assert len(llm_server.requests) == 2


@pytest.mark.slow
def test_an_evaluation_says_how_many_replies_were_kept_and_what_they_cost_now(run, llm_server):
    command = [
        "evaluate", *HELP, "--transforms", "rewrite,step_back", "--writer", "openai/evaluated-model", "--base-url",
        llm_server.base_url, "--price", "1000,2000", "--limit",
    ]  # fmt: skip
    each = (11 * 1000 + 7 * 2000) / 1e6
    first = json.loads(run(*command, "2", "--json")[1])["replies"]
    assert first == {"calls": 4, "kept": 0, "cost_now_usd": pytest.approx(4 * each), "cost_first_usd": 4 * each}
    again = json.loads(run(*command, "3", "--json")[1])
    assert again["replies"]["calls"] == 6
    assert again["replies"]["kept"] == 4
    assert again["replies"]["cost_now_usd"] == pytest.approx(2 * each)
    assert again["transforms"][1]["cost_now_usd"] == pytest.approx(each / 3)
    assert [row["kept"] for row in again["transforms"][1]["rows"]] == [1, 1, 0]
    said = "6 of 6 calls were replies kept from before: cost now $0, the first time $0.15"
    assert said in run(*command, "3")[1]
    assert len(llm_server.requests) == 6


@pytest.mark.slow
def test_a_deadline_holds_for_each_reply_and_stands_in_the_config(run, llm_server):
    llm_server.queue("hang")
    command = ["--transforms", "rewrite", "--writer", "openai/late-model", "--base-url", llm_server.base_url]
    data = json.loads(run("compare", QUERY, *HELP, *command, "--deadline", "0.3", "--json")[1])
    assert "did not finish within 0.3 s" in data["results"][1]["fallback_reason"]
    assert data["config"]["deadline_s"] == 0.3
    assert "--deadline" in run("compare", QUERY, *HELP, "--deadline", "0")[2]


@pytest.mark.slow
def test_a_price_makes_the_cap_in_dollars_hold(run, llm_server):
    command = [
        "compare", QUERY, *HELP, "--writer", "openai/priced-model", "--base-url", llm_server.base_url, "--max-usd",
    ]  # fmt: skip
    assert "the price of the next call is unknown" in run(*command, "0")[1]
    assert llm_server.requests == []
    code, out, _ = run(*command, "0.0001", "--price", "1000,1000", "--json")
    assert code == 0
    data = json.loads(out)
    assert llm_server.requests == []
    assert all("The cap of this run" in one["fallback_reason"] for one in data["results"][1:])
    assert data["config"]["price"] == {"input_per_million": 1000, "output_per_million": 1000}
    assert data["config"]["use_cache"] is True


def test_a_replay_says_so_and_has_no_time_of_its_own(run, tmp_path):
    file = tmp_path / "r.jsonl"
    options = [*HELP, "--transforms", "rewrite,hyde"]
    assert run("evaluate", *options, "--limit", "3", "--record", str(file))[0] == 0
    replay = [*options, "--writer", f"recorded:{file}"]
    data = json.loads(run("evaluate", *replay, "--limit", "6", "--json")[1])
    original, *replayed = data["transforms"]
    assert original["latency_s"] > 0
    assert [(one["latency_s"], one["fallback_rate"]) for one in replayed] == [(None, 0.5)] * 2
    out = run("evaluate", *replay, "--limit", "3")[1]
    assert "recorded: corpus (no LLM), 2" in out
    assert "costs are of then" in out
    query = json.loads(file.read_text("utf-8").splitlines()[0])["query"]
    heading = r"== .+  \(.+, \$0, recorded: corpus \(no LLM\), [-0-9]{10}; first .+ m?s, \$0\)"
    assert re.search(heading, run("compare", query, *replay)[1])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--price", "cheap"], "--price 'cheap' is not IN,OUT"),
        (["--price", "1,-2"], "give 0 or more"),
        (["--writer", "recorded:nosuchtask:f.jsonl"], "no task to replay named 'nosuchtask'"),
        (["--writer", "recorded:hyed:f.jsonl"], "Did you mean 'hyde'?"),
        (["--writer", "recorded:C:/nowhere/f.jsonl"], "f.jsonl"),
        (["--record", ""], "names no file"),
        (["--record", "/no/such/folder/f.jsonl"], "its folder does not exist"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(run, options, said):
    code, out, err = run("compare", QUERY, *HELP, *options)
    assert (code, out) == (2, "")
    assert said in err.splitlines()[-1]


def test_a_history_nested_too_deep_is_bad_input(run, tmp_path):
    file = tmp_path / "history.json"
    file.write_text("[" * 100_000, "utf-8")
    code, _, err = run("compare", QUERY, *HELP, "--history", str(file))
    assert code == 2
    assert "nested too deep" in err


def test_a_long_text_is_cut_in_one_pass():
    begun = time.process_time()
    cut = plain("日a" * 500_000, 70)
    assert time.process_time() - begun < 3
    assert columns(cut) == 70
    assert [plain(text, 3) for text in ("abc", "abcd", "日本", "e\u0301e\u0301e\u0301")] == [
        "abc", "ab…", "日…", "e\u0301e\u0301e\u0301",
    ]  # fmt: skip
