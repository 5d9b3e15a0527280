"""A command that is told to end: a run is paused, by Ctrl-C and SIGTERM alike, and the process is gone soon after."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from ir_core.cli import main
from ir_core.jobs import JobStore
from tests.test_evaluation_killed import until

pytestmark = [
    pytest.mark.filterwarnings("ignore:Accessing the:DeprecationWarning"),
    pytest.mark.usefixtures("ready"),
]
COMMAND = ["evaluate", "--corpus", "help_center", "--embedder", "hashing", "--limit", "12", "--transforms", "rewrite",
           "--mode", "lexical", "--samples", "1", "--no-cache", "--writer", "openai/test-model"]  # fmt: skip


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "k")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_requests_under_way_come_to_their_end_and_no_further_one_leaves(number, llm_server, capsys):
    came, told = threading.Event(), threading.Event()

    def reply(body):
        came.set()
        told.wait(60)
        return f"another text {time.perf_counter()}"

    def tell():
        came.wait(60)
        os.kill(os.getpid(), number)
        until(lambda: any(job.requested() for job in JobStore().jobs() if job.id not in jobs), 60)
        time.sleep(0.1)  # its threads are told right after
        told.set()

    llm_server.reply = reply
    before = signal.signal(number, lambda *_: told.set())  # should the command not listen, the tests go on
    jobs = {job.id for job in JobStore().jobs()}
    threading.Thread(target=tell, daemon=True).start()
    try:
        code = main([*COMMAND, "--base-url", llm_server.base_url])
    finally:
        signal.signal(number, before)
    (job,) = [job for job in JobStore().jobs() if job.id not in jobs]
    said = capsys.readouterr().err
    assert code == 130
    assert said.splitlines()[-1] == f"Paused. Go on with: query-prism evaluate --resume {job.id}"
    assert (job.state().status, job.state().why) == ("paused", "person")
    assert 0 < len(llm_server.requests) <= llm_server.most_at_once


def test_a_process_that_imports_the_client_still_is_gone_and_its_run_is_paused(llm_server):
    command = [sys.executable, "-m", "ir_core.cli", *COMMAND, "--base-url", llm_server.base_url]
    jobs = {job.id for job in JobStore().jobs()}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    try:
        for line in process.stderr:
            if line.startswith("run "):
                break
        time.sleep(0.1)  # less than the import takes
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    finally:
        process.kill()
    (job,) = [job for job in JobStore().jobs() if job.id not in jobs]
    assert process.returncode == 130
    assert said.splitlines()[-1] == f"Paused. Go on with: query-prism evaluate --resume {job.id}"
    assert job.state().status == "paused"
    assert llm_server.requests == []
