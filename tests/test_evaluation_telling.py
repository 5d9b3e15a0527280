"""How far a run is: each part says so on disk at once, and no time left is told that nothing was measured of."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import pytest

from ir_core.budget import Spent
from ir_core.errors import Cancelled
from ir_core.evaluation.telling import Telling, part_states
from ir_core.jobs import Handle, JobState, JobStore, pace, run

NAMES = ["corpus", "model"]


@pytest.fixture
def clock(monkeypatch):
    """Seconds that pass when the test says so."""
    now = SimpleNamespace(at=100.0)
    monkeypatch.setattr(pace, "time", SimpleNamespace(monotonic=lambda: now.at))
    return now


@pytest.fixture
def handle(tmp_path):
    return Handle(JobStore(tmp_path).create("test", {}, title="A run"), threading.Event(), JobState("running"))


def left(handle) -> float | None:
    return handle._last.seconds_left


def test_time_left_is_unknown_until_every_part_has_shown_its_own_pace(handle, clock):
    telling = Telling(handle, NAMES, [0, 0], 10, Spent)
    first, second = telling.of_part(0), telling.of_part(1)
    first(0)
    clock.at += 60  # what is loaded first
    first(0)
    clock.at += 1
    first(5)
    assert left(handle) is None, "how fast the other writes, nobody knows"
    first(10)
    second(0)
    assert left(handle) is None
    clock.at += 20
    second(4)
    assert left(handle) == pytest.approx(20 / 4 * 6)
    second(10)
    assert left(handle) == 0


def test_a_part_that_was_whole_before_or_cannot_go_on_takes_no_time(handle, clock):
    telling = Telling(handle, [*NAMES, "other"], [10, 2, 0], 10, Spent)
    telling.lost(2, "its index is gone")
    own = telling.of_part(1)
    own(2)
    clock.at += 3
    own(3)
    assert left(handle) == pytest.approx(3 / 1 * 7)


def test_a_judge_has_a_pace_of_its_own(handle, clock):
    telling = Telling(handle, NAMES[:1], [0], 10, Spent, Spent)
    own = telling.of_part(0)
    own(0)
    clock.at += 10
    own(10)
    assert left(handle) is None
    telling.judged(0, 20)
    clock.at += 4
    telling.judged(10, 20)
    assert left(handle) == pytest.approx(4)


@pytest.mark.parametrize("end", [Cancelled("stop"), None, ValueError("broken")])
def test_parts_are_on_disk_as_they_were_when_it_ended(tmp_path, end):
    """Also what came right after another word, for which the disk had not been asked again."""
    job = JobStore(tmp_path).create("test", {}, title="A run")

    def work(handle):
        telling = Telling(handle, NAMES, [0, 0], 9, Spent)
        for done in range(10):
            telling.of_part(0)(done)
        assert [one.done for one in part_states(job)] == [9, 0], "whole: the next part may be long in opening"
        for done in range(5):
            telling.of_part(1)(done)
        if end:
            raise end

    run(job, work)
    assert [(one.done, one.total) for one in part_states(job)] == [(9, 9), (4, 9)]
