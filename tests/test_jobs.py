"""Long jobs on disk: torn lines, dead owners, pause and cancel, and bounds; with real processes and real kills."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from ir_core.errors import BadInput, CapReached, QueryPrismError
from ir_core.jobs import JobStore, Lines, Runner, run

ROOT = Path(__file__).parent.parent
HOLDS = """
import sys, time
from ir_core.jobs import JobStore, run
def work(handle):
    handle.job.lines("results.jsonl").append({"piece": 1})
    handle.tell(1, 2, {})
    print("ready", flush=True)
    while True:
        time.sleep(0.02)
        handle.check()
run(JobStore().get(sys.argv[1]), work)
"""

ENDS = """
import sys, threading
from ir_core.jobs import JobStore, Runner
started = threading.Event()
def work(handle):
    started.set()
    handle.cancel.wait(60)
    import concurrent.futures.process  # it registers itself with threading, for which it is too late
Runner(closes_at_exit=True).start(JobStore().get(sys.argv[1]), work)
started.wait(60)
"""


@pytest.fixture
def store(home):
    return JobStore()


def new(store, **options):
    return store.create("test", {"n": 3}, title="A test", **options)


@pytest.fixture
def held(store):
    """A job that another process works on, and that process."""
    job = new(store, needs_key=True)
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDS, job.id], cwd=ROOT, stdout=subprocess.PIPE, env={**os.environ}, text=True
    )
    assert process.stdout.readline() == "ready\n"
    yield job, process
    process.kill()
    process.wait()
    process.stdout.close()


# lines


def test_a_torn_last_line_is_not_read_and_the_next_line_is_whole(tmp_path):
    lines = Lines(tmp_path / "results.jsonl")
    lines.append({"a": 1}, {"a": 2})
    lines.close()
    for torn in (b'{"a": 3', b'{"a": 3}'):
        with lines.path.open("ab") as file:
            file.write(torn)
        assert [one["a"] for one in Lines(lines.path).read()] == [1, 2]
    later = Lines(lines.path)
    later.append({"a": 4})
    later.close()
    assert [one["a"] for one in later.read()] == [1, 2, 4]


def test_threads_append_whole_lines(tmp_path):
    lines = Lines(tmp_path / "results.jsonl")
    threads = [
        threading.Thread(target=lambda n=n: [lines.append({"n": n, "i": i, "t": "x" * 5_000}) for i in range(50)])
        for n in range(6)
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    found = lines.read()
    assert {(one["n"], one["i"]) for one in found} == {(n, i) for n in range(6) for i in range(50)}
    assert len(found) == 300


# states


@pytest.mark.parametrize(
    ("error", "status", "why", "said"),
    [
        (None, "finished", None, ""),
        (CapReached("The cap is reached."), "paused", "cap", "The cap is reached."),
        (QueryPrismError("No such corpus."), "failed", None, "No such corpus."),
        (ZeroDivisionError(), "failed", None, "reference"),
    ],
)
def test_how_a_job_ends(store, error, status, why, said):
    job = new(store)

    def work(handle):
        handle.tell(2, 3, {"money": 1.5})
        if error:
            raise error

    end = run(job, work)
    assert (end.status, end.why) == (status, why)
    assert said in end.sentence
    again = store.get(job.id).state()
    assert (again.status, again.done, again.total, again.details) == (status, 2, 3, {"money": 1.5})
    assert again.may_resume is (status in {"paused", "failed"})


def test_a_paused_job_goes_on_and_its_seconds_add_up(store):
    job, runner, half, go = new(store), Runner(), threading.Event(), threading.Event()

    def work(handle):
        for piece in range(len(handle.job.lines("r").read()), 4):
            if piece == 2:
                half.set()
                while not go.wait(0.01):
                    handle.check()
            handle.job.lines("r").append({"piece": piece})
            handle.tell(piece + 1, 4, {})

    runner.start(job, work)
    assert half.wait(60)
    with pytest.raises(BadInput, match="under way"):
        runner.start(job, work)
    with pytest.raises(BadInput, match="under way"):
        store.delete(job)
    runner.pause(job)
    assert runner.wait(job, 60)
    paused = job.state()
    assert (paused.status, paused.why) == ("paused", "person")
    assert paused.done == 2
    go.set()
    runner.start(job, work)
    assert runner.wait(job, 60)
    assert job.state().status == "finished"
    assert job.state().seconds > paused.seconds > 0
    assert [one["piece"] for one in job.lines("r").read()] == [0, 1, 2, 3]


def test_more_than_the_runner_does_at_once_are_queued_and_can_be_cancelled(store):
    runner, gate, first, second = Runner(at_once=1), threading.Event(), new(store), new(store)

    def work(handle):
        while not gate.wait(0.01):
            handle.check()

    runner.start(first, work)
    runner.start(second, work)
    assert second.state().status == "queued"
    runner.cancel(second)
    assert runner.wait(second, 60)
    assert second.state().status == "cancelled"
    gate.set()
    assert runner.wait(first, 60)
    assert first.state().status == "finished"


def test_the_end_waits_for_nothing_where_no_call_can_be_under_way(store):
    runner, job, go = Runner(nothing_sent=lambda: True), new(store), threading.Event()
    runner.start(job, lambda handle: go.wait(60))
    began = time.monotonic()
    assert not runner.close(60.0)
    assert time.monotonic() - began < 30.0
    go.set()
    assert runner.wait(job, 60)


# other processes


def test_what_fails_because_its_process_ends_reads_as_paused(store):
    job = new(store)
    ended = subprocess.run([sys.executable, "-c", ENDS, job.id], cwd=ROOT, capture_output=True, text=True, timeout=90)
    assert (ended.returncode, "Traceback" in ended.stderr) == (0, False)
    assert "1 run is paused" in ended.stderr
    assert (job.state().status, job.state().why) == ("paused", "stopped")


def test_a_job_of_a_living_process_is_nobody_elses(store, held):
    job, process = held
    assert job.state().status == "running"
    with pytest.raises(BadInput, match="under way"):
        run(job, lambda handle: None)
    job.request("pause")
    assert process.wait(60) == 0
    assert (job.state().status, job.state().why) == ("paused", "person")


def test_a_job_of_a_killed_process_is_paused_and_goes_on_elsewhere(store, held):
    job, process = held
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    found = job.state()
    assert (found.status, found.why, found.done) == ("paused", "key", 1)
    assert json.loads((job.folder / "state.json").read_text())["status"] == "running", "nobody could say so in time"
    end = run(job, lambda handle: handle.tell(2, 2, {}))
    assert end.status == "finished"
    assert job.lines("results.jsonl").read() == [{"piece": 1}]


# bounds


def test_the_newest_stands_first_also_within_a_second(store):
    made = [new(store).id for _ in range(8)]
    assert [job.id for job in store.jobs()] == made[::-1]


def test_old_ended_jobs_go_first_and_a_running_one_never(home, held):
    running, small = held[0], JobStore(max_jobs=3)
    finished, paused = new(small), new(small)
    run(finished, lambda handle: None)
    newest = new(small)
    assert {job.id for job in small.jobs()} == {running.id, paused.id, newest.id}
    last = JobStore(max_bytes=1).create("test", {}, title="the only one that fits")
    assert {job.id for job in small.jobs()} == {running.id, last.id}


@pytest.mark.parametrize("name", ["", "..", "../../etc", "x" * 80, "20200101-000000-none0000"])
def test_a_name_that_is_no_job(store, name):
    with pytest.raises(BadInput, match="job"):
        store.get(name)


def test_a_damaged_job_costs_only_itself(store):
    bad, good = new(store), new(store)
    (bad.folder / "job.json").write_text("{")
    assert [job.id for job in store.jobs()] == [good.id]
    (good.folder / "state.json").write_text("")
    assert good.state().status == "paused"
