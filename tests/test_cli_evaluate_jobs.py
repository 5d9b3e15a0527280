"""``query-prism evaluate`` as a run: several indexes, writers and modes; paused, gone on with, listed, in files."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
import zipfile

import pytest

from ir_core import build
from ir_core.cli import main
from ir_core.evaluation import Plan, evaluation_of
from ir_core.jobs import JobStore
from ir_core.session import prepare
from tests.scripted import GOOD

pytestmark = pytest.mark.filterwarnings("ignore:Accessing the:DeprecationWarning")
CORPUS = ["--corpus", "help_center", "--embedder", "hashing"]
FEW = [*CORPUS, "--limit", "4", "--transforms", "rewrite", "--mode", "hybrid"]


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "k")


@pytest.fixture
def run(capsys):
    def go(*arguments):
        code = main(["evaluate", *arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return go


@pytest.fixture
def answer(run):
    def go(*arguments):
        code, out, err = run(*arguments, "--json")
        assert code == 0, err
        return json.loads(out)

    return go


def model(server, *more):
    return ["--writer", "openai/test-model", "--base-url", server.base_url, *more]


def test_strategies_writers_and_modes_are_one_run_in_one_document(answer, run, llm_server, tmp_path):
    prepare("help_center", embedder="hashing").build()
    before = build.current("help_center").manifest.fingerprint
    table, trec = tmp_path / "rows.csv", tmp_path / "runs.zip"
    data = answer(
        *CORPUS, "--limit", "4", "--transforms", "rewrite", "--measures", "ndcg@10", "--strategy", "WholeText",
        "--strategy", "Chunked:chunk_size=300,overlap=40", "--writer", "corpus", *model(llm_server),
        "--modes", "lexical,hybrid", "--controls", "dense", "--samples", "1", "--csv", str(table),
        "--trec", str(trec),
    )  # fmt: skip
    assert build.current("help_center").manifest.fingerprint == before, "the one in use stays in use"
    job = JobStore().get(data["job"])
    plan = Plan.from_json(job.spec)
    names = [f"{one.strategy} · {one.writer.label}" for one in plan.parts()]
    assert len(set(names)) == 4
    assert [(one["name"], one["mode"]) for one in data["parts"]] == [
        (name, mode) for name in names for mode in ("lexical", "hybrid")
    ]
    assert data["parts"][5]["config"]["strategy"]["params"]["chunk_size"] == 300
    for one in data["parts"]:
        found = evaluation_of(job, one["mode"], one["part"])
        assert one["transforms"] == json.loads(json.dumps(found.to_json()["transforms"]))
        assert len(one["transforms"]) == (3 if one["mode"] == "hybrid" else 2)
    originals = [one for one in data["overview"] if one["column"] == 0]
    assert len(originals) == 4, "one for each index and mode"
    assert [one["to_first"] is None for one in data["overview"]].count(True) == 1
    rows = list(csv.DictReader(io.StringIO(table.read_text("utf-8-sig"))))
    assert len(rows) == 4 * (4 * 2 + 4 * 3)
    assert {row["writer"] for row in rows} == {"corpus (no LLM)", "openai/test-model"}
    with zipfile.ZipFile(trec) as archive:
        assert sum(name.endswith(".run") for name in archive.namelist()) == 4 * (2 + 3)
    out = run("--resume", data["job"])[1]
    assert "to the first: query by query" in out
    assert all(f"== {name} · hybrid" in out for name in names)


def test_a_cap_pauses_the_run_and_a_higher_one_goes_on_with_it(answer, run, llm_server):
    code, out, err = run(*FEW, *model(llm_server, "--max-calls", "2"))
    assert code == 4
    assert "no query is through yet" in out
    assert "Paused: The cap of this run (2 calls) is reached" in err
    (job,) = JobStore().jobs()
    assert f"--resume {job.id}" in err
    assert job.state().why == "cap"
    data = answer("--resume", job.id, "--max-calls", "9")
    assert (data["n"], data["state"]["status"]) == (4, "finished")
    assert len(llm_server.requests) == 4, "what was written was not asked for again"
    assert data["config"]["queries"]["limit"] == 4
    assert data["config"]["base_url"] == llm_server.base_url
    (listed,) = answer("--list")["runs"]
    assert (listed["job"], listed["state"]["status"], listed["page"]) == (
        job.id,
        "finished",
        f"/evaluate?job={job.id}",
    )
    assert job.id in run("--list")[1]


def test_a_cap_in_dollars_that_cannot_hold_is_refused_before_anything_is_sent(run, llm_server):
    code, _, err = run(*FEW, "--writer", "openai/no-such-model", "--base-url", llm_server.base_url, "--max-usd", "1")
    assert code == 2
    assert "--price IN,OUT" in err
    assert (llm_server.requests, JobStore().jobs()) == ([], [])


def test_a_writer_that_fails_ends_the_command_with_the_way_on(run, llm_server):
    llm_server.queue(*["401"] * 40)
    code, _, err = run(*FEW, *model(llm_server), "--limit", "20")
    (job,) = JobStore().jobs()
    assert code == 2
    assert job.state().why == "writer"
    assert f"query-prism evaluate --resume {job.id}" in err


def test_two_runs_stand_beside_each_other_and_one_is_deleted(answer, run):
    one, other = (answer(*FEW, "--measures", "ndcg@5", *more)["job"] for more in ((), ("--k", "5")))
    (original, rewrite) = answer("--resume", one, "--beside", other)["beside"]
    assert (original["transform"], rewrite["transform"]) == ("identity", "rewrite")
    assert original["own"] == original["other"]
    assert (original["apart"]["mean"], original["n"]) == (0.0, 4)
    assert "this - other" in run("--resume", one, "--beside", other)[1]
    code, _, err = run(*FEW, "--measures", "recall@3", "--beside", other)
    assert (code, "in common" in err, {job.id for job in JobStore().jobs()}) == (2, True, {one, other}), "not begun"
    code, _, err = run("--resume", answer(*FEW, "--measures", "recall@3")["job"], "--beside", other)
    assert (code, "in common" in err) == (2, True)
    assert answer("--delete", other) == {"deleted": other, "schema_version": 1}
    code, _, err = run("--resume", one, "--beside", other)
    assert (code, other in err) == (2, True)


def test_texts_are_searched_again_without_writing(answer, run, llm_server):
    first = answer(*FEW, *model(llm_server, "--samples", "1"))
    code, _, err = run("--resume", first["job"], "--transforms", "hyde")
    assert (code, "--transforms cannot be changed" in err) == (2, True)
    asked = len(llm_server.requests)
    again = answer("--again", first["job"], "--modes", "lexical,dense", "--measures", "recall@3")
    assert [one["mode"] for one in again["parts"]] == ["lexical", "dense"]
    assert again["measures"] == ["recall@3"]
    assert again["job"] != first["job"]
    assert len(llm_server.requests) == asked


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "No corpus is named"),
        (["--resume", "20200101-000000-00000000"], "is gone"),
        (["--resume", "20200101-000000-00000000", "--list"], "only one"),
        (["--resume", "nope", *CORPUS], "names no job"),
        (["--delete", "../x", *CORPUS], "names no job"),
        ([*CORPUS, "--beside", "20200101-000000-00000000"], "is gone"),
        ([*CORPUS, "--mode", "dense", "--modes", "dense,hybrid"], "--mode and --modes"),
        ([*CORPUS, "--writer", "openai/m", "--base-url", "http://usr:pw@127.0.0.1:1/v1"], "no user or password"),
        (["--resume", "20200101-000000-00000000", "--base-url", "http://usr:pw@127.0.0.1"], "no user or password"),
        ([*CORPUS, "--judge", "openai/m", "--judge-url", "http://u:p@127.0.0.1"], "no user or password"),
        ([*CORPUS, "--strategy", "Chunkd"], "Did you mean 'Chunked'"),
        ([*CORPUS, "--writer", "corpus", "--writer", "recorded:nowhere.jsonl"], "nowhere.jsonl"),
    ],
)  # fmt: skip
def test_bad_input_is_refused_with_the_way_out(run, options, said):
    code, _, err = run(*options)
    assert code == 2
    assert said in err
    assert JobStore().jobs() == []


def test_control_c_pauses_and_resume_asks_nothing_twice(llm_server, answer):
    gate_open = []

    def reply(body):
        while len(llm_server.requests) > 6 and not gate_open:
            time.sleep(0.02)
        return GOOD["rewrite"][0]

    llm_server.reply = reply
    prepare("help_center", embedder="hashing").build()
    command = [sys.executable, "-m", "ir_core.cli", "evaluate", *CORPUS, "--limit", "30", "--transforms", "rewrite",
               "--mode", "lexical", "--samples", "1", *model(llm_server)]  # fmt: skip
    process = subprocess.Popen(command, env={**os.environ}, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        for _ in range(1200):
            if len(llm_server.requests) > 6 or process.poll() is not None:
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        err = ""
        for line in process.stderr:
            err += line
            if line.startswith("Pausing"):
                gate_open.append(True)
        process.wait(60)
    finally:
        process.kill()
    assert process.returncode == 130, err
    (job,) = JobStore().jobs()
    assert f"--resume {job.id}" in err
    assert "error" not in err
    assert (job.state().status, job.state().why) == ("paused", "person")
    data = answer("--resume", job.id)
    assert data["n"] == 30
    assert len(llm_server.requests) == len({str(request.body) for request in llm_server.requests}) == 30
