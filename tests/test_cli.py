"""The command line on real corpora: what it prints, what reproduces a run, and what becomes of bad input."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from ir_core.cli import main
from ir_core.cli._answers import SCHEMA_VERSION
from ir_core.cli._main import group
from ir_core.cli._options import read_pairs
from ir_core.cli._tables import columns, plain, table
from ir_core.cli.run import allowed_hosts, streamlit_command
from ir_core.errors import BadSetting
from ir_core.schema import Call
from ir_core.secrets import without_credentials
from ir_core.transforms import TRANSFORMS
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


@pytest.fixture
def beir(tmp_path):
    folder = tmp_path / "my corpus"
    (folder / "qrels").mkdir(parents=True)
    documents = [
        {"_id": "a", "title": "Ferry", "text": "The ferry to the island leaves at noon.", "metadata": {"year": 2020}},
        {"_id": "b", "title": "Bus", "text": "The bus to the harbour leaves every hour.", "metadata": {"year": 2024}},
        {
            "_id": "c",
            "title": "Evil \x1b[31mtitle\x07",
            "text": "Nothing about travel here.",
            "metadata": {"year": 1},
        },
    ]
    (folder / "corpus.jsonl").write_text("\n".join(json.dumps(item) for item in documents), "utf-8")
    queries = [
        {"_id": "1", "text": "ferry island"},
        {"_id": "2", "text": "hello", "metadata": {"category": "small_talk"}},
    ]
    (folder / "queries.jsonl").write_text("\n".join(json.dumps(item) for item in queries), "utf-8")
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n1\ta\t1\n", "utf-8")
    return folder


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


def test_search_is_the_original_alone(answer, run):
    found = answer("search", "export a document", *HELP, "--k", "4")
    assert [result["transform"] for result in found["results"]] == ["identity"]
    _, out, _ = run("search", "export a document", *HELP, "--k", "4")
    for hit in found["results"][0]["hits"]:
        assert hit["title"] in out


# corpora, index, evaluate


def test_a_corpus_by_path_follows_its_source(answer, beir):
    path = ["--corpus", str(beir), "--embedder", "hashing"]
    first = answer("search", "ferry island", *path, "--k", "1")
    assert first["results"][0]["hits"][0]["artifact_id"] == "a"
    assert answer("index", *path, "--plan")["is_current"]
    with (beir / "corpus.jsonl").open("a", encoding="utf-8") as file:
        file.write('\n{"_id": "d", "title": "Night ferry", "text": "ferry ferry island island"}\n{"_id": broken')
    stale = answer("index", *path, "--plan")
    assert (stale["is_current"], stale["n_surfaces"], stale["n_to_embed"]) == (False, 4, 1)
    assert "line 5" in stale["problems"][0]["reason"]
    again = answer("search", "ferry island", *path, "--k", "1")
    assert again["results"][0]["hits"][0]["artifact_id"] == "d"
    assert again["config"]["corpus"] == str(beir)
    assert again["config"]["index"] != first["config"]["index"]


def test_index_takes_the_strategys_settings(answer, beir):
    found = answer(
        "index", "--corpus", str(beir), "--embedder", "hashing", "--strategy", "Chunked",
        "--set", "chunk_size=20", "--set", "Chunked.overlap=5", "--set", "index.k1=0.9",
    )  # fmt: skip
    assert found["index"]["strategy"]["params"]["chunk_size"] == 20
    assert found["index"]["strategy"]["params"]["overlap"] == 5
    assert found["index"]["k1"] == 0.9
    assert found["index"]["n_surfaces"] > 3


def test_corpora_lists_the_samples_and_their_indexes(answer, run):
    answer("index", *HELP)
    rows = {row["name"]: row for row in answer("corpora")["corpora"]}
    assert rows["help_center"]["n_surfaces"] == rows["help_center"]["n_documents"] == 74
    assert "procurement" in rows
    assert "help_center" in run("corpora")[1]
    assert [one["name"] for one in answer("transforms")["transforms"]] == list(TRANSFORMS.names())
    assert "original_weight=1.0" in run("transforms")[1]


def test_evaluate_measures_and_says_what_was_left_out(answer, run, beir):
    path = ["--corpus", str(beir), "--embedder", "hashing", "--transforms", "rewrite"]
    found = answer("evaluate", *path, "--measures", "recall@1,mrr@10")
    assert found["n"] == 1
    assert [item["query_id"] for item in found["excluded"]] == ["2"]
    assert [item["transform"] for item in found["transforms"]] == ["identity", "rewrite"]
    assert found["transforms"][0]["means"] == {"recall@1": 1.0, "mrr@10": 1.0}
    assert found["config"]["queries"]["measures"] == ["recall@1", "mrr@10"]
    assert found["config"]["k"] == 10, "what was measured, not what --k says"
    _, out, _ = run("evaluate", *path)
    assert "not measured: 2: Small talk" in out


def test_documents_cannot_write_to_the_terminal(run, beir):
    _, out, _ = run("search", "nothing about travel", "--corpus", str(beir), "--embedder", "hashing")
    assert "Evil" in out
    assert not {"\x1b", "\x07"} & set(out)


# bad input


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["search", "  ", *HELP], "empty"),
        (["search", "x", *HELP, "--k", "0"], "k = 0"),
        (["search", "x", *HELP, "--mode", "lexicall"], "Did you mean 'lexical'"),
        (["search", "x", "--corpus", "help_centre"], "Did you mean 'help_center'"),
        (["search", "x", "--corpus", "./nowhere/at/all"], "nowhere"),
        (["search", "x", *HELP, "--strategy", "Chunkd"], "Did you mean 'Chunked'"),
        (["search", "x", *HELP, "--set", "chunk_sise=3", "--strategy", "Chunked"], "Did you mean 'chunk_size'"),
        (["search", "x", *HELP, "--set", "chunk_size"], "key=value"),
        (["search", "x", *HELP, "--set", "Chunked.overlap=1"], "--strategy Chunked"),
        (["search", "x", *HELP, "--k1", "-1"], "k1 = -1"),
        (["search", "x", *HELP, "--filter", "{area: 1}"], "not JSON"),
        (["search", "x", *HELP, "--filter", "[1]"], "not a JSON object"),
        (["search", "x", *HELP, "--filter", '{"colour": 1}'], "reading_minutes"),
        (["search", "x", *HELP, "--surfaces", "documents"], "Did you mean 'document'"),
        (["compare", "x", *HELP, "--transforms", "hyd"], "Did you mean 'hyde'"),
        (["compare", "x", *HELP, "--set", "hyed.with_query=no"], "Did you mean 'hyde'"),
        (["compare", "x", *HELP, "--transforms", "rewrite", "--set", "hyde.with_query=no"], "--transforms"),
        (["compare", "x", *HELP, "--set", "multi_query.n=99"], "n = 99"),
        (["compare", "x", *HELP, "--history", "nowhere.json"], "cannot be read"),
        (["compare", "x", *HELP, "--history", str(ROOT / "README.md")], "not JSON"),
        (["evaluate", *HELP, "--measures", "recal@5"], "Did you mean 'recall'"),
        (["evaluate", *HELP, "--category", "simpel"], "Did you mean 'simple'"),
        (["evaluate", *HELP, "--category", ","], "--category ',' names nothing"),
        (["evaluate", *HELP, "--split", "tset"], "Did you mean 'test'? Known: test, tune."),
        (["search", "x", *HELP, "--surfaces", ","], "--surfaces ',' names nothing"),
        (["compare", "x", *HELP, "--transforms", ""], "--transforms '' names nothing"),
        (["search", "x", *HELP, "--set", "multi_query.n=5"], "searches the query as typed. Use compare."),
        (["search", "x", *HELP, "--filter", '{"a":' * 5_000], "nested too deep"),
        (["search", "x", *HELP, "--filter", '{"reading_minutes":' + "[" * 60 + "]" * 60 + "}"], "more than 50 deep"),
        (["search", "x", *HELP, "--filter", '{"reading_minutes": null}'], "cannot compare with null"),
        (["search", "x", "--corpus", "nosuch.txt"], "no corpus, file or folder named 'nosuch.txt'"),
        (["index", *HELP, "--set", "foo.bar=1"], "no transform or strategy named 'foo'"),
        (["index", *HELP, "--set", "hyde.with_query=no"], "an index has none"),
        (["index", "--corpus", "help_center", "--embedder", "hashin/g"], "hashin"),
        (["compar", "x"], "Did you mean 'compare'"),
        (["compare", "x"], "--corpus"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_bad_input_is_one_line_that_says_what_to_do(run, arguments, said, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    code, out, err = run(*arguments)
    assert code == 2
    assert out == ""
    last = err.splitlines()[-1]
    assert last.startswith("error: ")
    assert said in last
    assert "Traceback" not in err


def test_settings_are_read_by_what_stands_before_the_dot():
    assert read_pairs(["a=1", "hyde.with_query = no", "deps_template=a.b=c"]) == (
        {"a": "1", "deps_template": "a.b=c"},
        {"hyde": {"with_query": "no"}},
    )
    with pytest.raises(BadSetting):
        read_pairs(["=3"])


def test_tables_count_columns_not_characters():
    assert columns("日本") == 4
    assert plain("a\x1b[0m\nb\u202ec") == "a [0m b c"
    assert columns(plain("日本語のテキスト", 7)) <= 7
    lines = table(["name", "n"], [["日本", 3], ["x", None]]).splitlines()
    assert len({columns(line) for line in lines[1:]}) == 1, "every line ends in the same column"


# what is kept, and what is only looked at


def test_a_search_with_other_settings_leaves_the_index_of_the_page(answer, beir):
    path = ["--corpus", str(beir), "--embedder", "hashing"]
    first = answer("search", "ferry", *path)["config"]["index"]
    assert answer("index", *path, "--plan")["is_current"], "the first index there is, is the current one"
    for name in ("search", "compare"):
        other = answer(name, "ferry", *path, "--strategy", "Chunked", "--k1", "2")["config"]
        assert other["index"] != first
        assert answer("index", *path, "--plan")["fingerprint"] == first
        assert answer("index", *path, "--plan")["is_current"]
    made = answer("index", *path, "--strategy", "Chunked", "--k1", "2", "--set", "overlap=7")["index"]
    kept = answer("search", "ferry", "--corpus", str(beir))["config"]
    assert (kept["index"], kept["embedder"], kept["k1"]) == (made["fingerprint"], "hashing", 2)
    assert kept["strategy"]["params"]["overlap"] == 7
    assert answer("search", "ferry", "--corpus", str(beir), "--b", "0.5")["config"]["k1"] == 2


def test_a_remark_is_not_called_a_loss(run, tmp_path):
    (tmp_path / "a.txt").write_bytes("ação e coração".encode("latin-1"))
    (tmp_path / "b.txt").write_bytes(b"")
    _, out, err = run("index", "--corpus", str(tmp_path), "--embedder", "hashing")
    assert "note: a.txt: is not UTF-8" in err
    assert "not read: b.txt: is empty" in err
    assert "1 surface (1 document) of 1 document," in out


def test_a_table_says_which_option_names_its_text_column(run, answer, tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("foo,bar\n1,the ferry\n2,the bus\n", "utf-8")
    for more, said in (([], "known to hold the text"), (["--text-column", "nope"], "has no column 'nope'")):
        code, _, err = run("search", "ferry", "--corpus", str(table), "--embedder", "hashing", *more)
        assert code == 2
        assert said in err
        assert "foo, bar" in err
        assert "--text-column NAME" in err
    found = answer("search", "ferry", "--corpus", str(table), "--embedder", "hashing", "--text-column", "bar")
    assert found["config"]["text_column"] == "bar"


def test_bare_it_prints_help(run):
    code, out, err = run()
    assert (code, err) == (0, "")
    assert "Usage: query-prism" in out
    assert "Examples:" in out


def test_a_home_that_is_a_file_is_said(run, tmp_path, monkeypatch):
    (tmp_path / "home").write_text("")
    monkeypatch.setenv("QUERY_PRISM_HOME", str(tmp_path / "home"))
    code, _, err = run("search", "x", *HELP)
    assert code == 2
    assert "QUERY_PRISM_HOME" in err


def test_an_unexpected_error_prints_no_secret(run, monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", "abcdefgh-ijklmnop")

    def fail(*_):
        raise RuntimeError("sent abcdefgh-ijklmnop to the gateway")

    monkeypatch.setattr("ir_core.library.corpora", fail)
    for arguments in (["corpora"], ["--debug", "corpora"]):
        code, _, err = run(*arguments)
        assert code == 1
        assert "abcdefgh" not in err
        assert "not expected" in err.splitlines()[-1]
    assert "[hidden] to the gateway" in err


# the page


def test_hosts_follow_the_address():
    assert set(allowed_hosts("127.0.0.1")) == {"127.0.0.1", "localhost", "::1"}
    assert allowed_hosts("0.0.0.0") == ["*"]
    named = allowed_hosts("192.0.2.7", ["prism.example"])
    assert {"192.0.2.7", "prism.example"} <= set(named)
    command = streamlit_command(9000, "192.0.2.7", (), browser=True)
    assert command[command.index("--server.address") + 1] == "192.0.2.7"
    assert command[command.index("--server.headless") + 1] == "true", "a page for others opens no browser here"
    with pytest.raises(BadSetting):
        streamlit_command(None, " ", (), browser=False)


@pytest.mark.slow
def test_run_serves_from_an_empty_folder_and_stops_at_ctrl_c(tmp_path):
    """A ``pages`` package and a configuration of the folder it is started in are not taken for ours."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "__init__.py").write_text("raise SystemExit('not ours')")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    server = subprocess.Popen(
        [sys.executable, "-P", "-m", "ir_core.cli", "run", "--no-browser", "--port", str(port)],
        cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    try:
        assert _get(f"http://127.0.0.1:{port}/_stcore/health") == b"ok"
        assert len(_get(f"http://127.0.0.1:{port}/app/static/icon.png")) > 100, (
            "our configuration serves static files"
        )
        server.send_signal(signal.SIGINT)
        assert server.wait(15) in (0, 130, -signal.SIGINT)
    finally:
        server.kill()
        server.communicate()


def _get(url: str, patience: float = 30) -> bytes:
    until = time.monotonic() + patience
    while time.monotonic() < until:
        with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=3) as reply:
            return reply.read()
        time.sleep(0.1)
    raise AssertionError(f"{url} did not answer within {patience} s")
