"""Work that outlives one run of the script."""

from __future__ import annotations

import threading
import time

import pytest

from pages._ui.jobs import LEFT, NEWER, Jobs, follow


class Leaves(BaseException):
    """As Streamlit ends a run: by an exception that is no Exception."""


def counting(gate: threading.Event):
    def work(emit, cancel):
        emit("first")
        gate.wait(60)
        if cancel.is_set():
            raise InterruptedError
        emit("second")
        return "done"

    return work


def leave_after_the_first(events):
    if events:
        raise Leaves


def test_a_follower_that_comes_back_sees_everything_from_the_beginning():
    gate = threading.Event()
    job = Jobs(4).start("asked", counting(gate))
    with pytest.raises(Leaves):
        follow(job, leave_after_the_first)
    gate.set()
    seen: list[str] = []
    follow(job, seen.extend)
    assert seen == ["first", "second"]
    assert job.result == "done"


def test_a_job_that_is_left_is_cancelled_when_its_patience_is_over():
    gate = threading.Event()
    job = Jobs(4).start("asked", counting(gate), patience=0.05)
    with pytest.raises(Leaves):
        follow(job, leave_after_the_first)
    assert job.cancel.wait(60)
    assert job.stopped == LEFT
    gate.set()
    follow(job, lambda events: None)
    assert isinstance(job.error, InterruptedError)


def test_coming_back_in_time_keeps_it():
    gate = threading.Event()
    job = Jobs(4).start("asked", counting(gate), patience=1.5)
    with pytest.raises(Leaves):
        follow(job, leave_after_the_first)
    threading.Timer(2.0, gate.set).start()
    follow(job, lambda events: None)
    assert job.result == "done"
    assert not job.cancel.is_set()


def test_the_store_is_bounded_and_what_falls_out_is_cancelled():
    gate, jobs = threading.Event(), Jobs(2)
    started = [jobs.start(number, counting(gate)) for number in range(3)]
    assert started[0].cancel.is_set()
    assert started[0].stopped == NEWER
    assert jobs.get(started[0].id) is None
    assert jobs.get(started[2].id) is started[2]
    assert jobs.get(None) is None
    gate.set()


def test_an_error_is_kept_for_whoever_follows():
    job = Jobs(2).start("asked", lambda emit, cancel: 1 / 0)
    follow(job, lambda events: time.sleep(0))
    assert isinstance(job.error, ZeroDivisionError)


def test_a_newer_one_makes_room_so_that_one_visit_pushes_out_no_other():
    jobs, gate = Jobs(2), threading.Event()
    others = jobs.start("another's", counting(gate))
    mine = jobs.start(0, counting(gate))
    for number in range(1, 4):
        before = mine
        jobs.drop(before.id)
        mine = jobs.start(number, counting(gate))
        assert before.stopped == NEWER
        assert jobs.get(before.id) is None
    assert jobs.get(others.id) is others
    assert not others.stopped
    jobs.drop(None)
    gate.set()
