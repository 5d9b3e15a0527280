"""A run that is really killed, in a process of its own, against a real server on loopback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from ir_core import config
from ir_core.jobs import Job, run
from ir_core.secrets import Secret
from tests.evaluation_jobs import figures, job, model, plan, work
from tests.llm_server import fitting_reply

ROOT = Path(__file__).parent.parent
KEY = "marker9c1e-of-a-key-somebody-typed"
pytestmark = pytest.mark.slow


class Half:
    """Answers the first ``n`` requests, then holds all others until it is told to go on."""

    def __init__(self, n: int, reply: Callable[[dict], str] = fitting_reply) -> None:
        self.reply = reply
        self.left, self.go_on, self._lock = n, threading.Event(), threading.Lock()
        self.held = 0
        self.answered: set[int] = set()
        """Of the bodies that came first, by ``id``."""

    def __call__(self, body):
        with self._lock:
            self.left -= 1
            hold = self.left < 0 and not self.go_on.is_set()
            self.held += hold
            if not hold:
                self.answered.add(id(body))
        if hold:
            self.go_on.wait(60)
        return self.reply(body)


def of_its_own(body: dict) -> str:
    """Another text for each query."""
    asked = body["messages"][-1]["content"]
    return asked.split("<query>")[1].split("</query>")[0].strip().removesuffix("?") + " explained"


def process_of(one: Job, key: str | None = None) -> subprocess.Popen:
    own = {**os.environ, **({"TYPED_KEY": key} if key else {})}
    return subprocess.Popen(
        [sys.executable, "-m", "tests.evaluation_jobs", one.id], cwd=ROOT, env=own, stdout=subprocess.PIPE, text=True
    )


def until(condition, seconds: float = 90.0) -> None:
    began = time.monotonic()
    while not condition():
        assert time.monotonic() - began < seconds, "it never came to that"
        time.sleep(0.02)


def files_with(marker: str) -> list[str]:
    found = [path for path in config.home().rglob("*") if path.is_file()]
    assert len(found) > 10, "there is something to search"
    return [str(path) for path in found if marker in path.name or marker.encode() in path.read_bytes()]


def test_killed_at_half_it_goes_on_in_another_process_and_asks_nothing_again(llm_server):
    """Replies are not kept elsewhere (use_cache is off), so it is the job that remembers."""
    llm_server.reply = half = Half(12)
    made = plan(writer=model(llm_server.base_url, needs_key=True), use_cache=False)
    one = job(made)
    process = process_of(one, KEY)
    until(lambda: half.held >= 4 and sum('"calls":[{' in line for line in texts(one)) == 12)
    assert one.state().status == "running"
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    found = one.state()
    assert (found.status, found.why) == ("paused", "key"), "the key is nowhere but in the memory that is gone"
    assert files_with(KEY) == []

    answered = Counter(request.text for request in llm_server.requests[:12])
    in_flight = Counter(request.text for request in llm_server.requests[12:])
    half.go_on.set()
    before = len(llm_server.requests)
    assert run(one, work(key=Secret(KEY))).status == "finished", "this process is another"
    later = Counter(request.text for request in llm_server.requests[before:])
    assert set(answered.values()) == set(later.values()) == {1}
    assert not answered.keys() & later.keys(), "what had been answered is not asked again"
    assert len(answered) + len(later) == 24
    assert in_flight.keys() <= later.keys()
    assert files_with(KEY) == []

    whole = job(made)
    assert run(whole, work(key=Secret(KEY))).status == "finished"
    assert figures(one) == figures(whole)


def texts(one: Job) -> list[str]:
    file = one.folder / "texts.jsonl"
    return file.read_text().splitlines() if file.exists() else []


def test_what_was_answered_within_an_unfinished_text_is_neither_asked_nor_paid_again(llm_server):
    """A chain asks twice, one after the other: killed between the two, it has no text yet, and one answer."""
    llm_server.reply = half = Half(10, of_its_own)
    steps = ("chain", {"steps": "rewrite > step_back"})
    made = plan(writer=model(llm_server.base_url), use_cache=False, transforms=(("identity", {}), steps))
    one = job(made, n=10)
    process = process_of(one)
    until(lambda: half.held >= 4 and len(asked(one)) == 10)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    answered = Counter(request.text for request in llm_server.requests[:10])
    assert len(texts(one)) < len(answered), "some answers have no text yet"
    half.go_on.set()
    before = len(llm_server.requests)
    assert run(one, work()).status == "finished"
    later = Counter(request.text for request in llm_server.requests[before:])
    assert not answered.keys() & later.keys()
    assert len(answered) + sum(later.values()) == 20
    assert one.state().details["spent"]["calls"] == 20


def asked(one: Job) -> list[str]:
    """Lines that hold a reply."""
    file = one.folder / "asked.jsonl"
    return [line for line in file.read_text().splitlines() if '"call":' in line] if file.exists() else []
