"""A run whose process ends: each request is on record before it leaves, so that it knows what was under way."""

from __future__ import annotations

import threading
from collections import Counter

import pytest

from ir_core.evaluation import cut_off, cut_off_said, open_index_of, open_writer_of
from ir_core.evaluation.asked import Requests
from ir_core.evaluation.replay_job import replay_work
from ir_core.jobs import Lines, Runner, run
from ir_core.jobs import runner as running
from ir_core.schema import Call
from tests import test_router_replay_job as replayed
from tests.evaluation_jobs import figures, job, model, plan, work
from tests.test_evaluation_killed import Half, of_its_own, until

AVERAGED = (("identity", {}), ("hyde", {"passages": 3}))
CHAIN = (("identity", {}), ("chain", {"steps": "rewrite > step_back"}))


def bodies(requests) -> Counter[str]:
    return Counter(f"{one.body['messages']} {one.body.get('seed')}" for one in requests)


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(running, "LAST_S", 30.0)  # only a bound; the machine may be busy


@pytest.mark.parametrize(("transforms", "answered", "left"), [(AVERAGED, 7, 11), (CHAIN, 3, 9)])
def test_what_is_given_up_at_the_end_is_counted_and_nothing_else_is_asked_twice(
    llm_server, short, transforms, answered, left
):
    """Also what was answered within a text that is not finished: one of three passages, one step of two."""
    llm_server.reply = half = Half(answered, of_its_own)
    options = {"writer": model(llm_server.base_url), "use_cache": False, "transforms": transforms}
    one, runner = job(plan(**options), n=6), Runner()
    runner.start(one, work())
    until(lambda: half.held == 4)
    before = list(llm_server.requests)
    until(lambda: len(replies(one)) == answered)
    assert runner.close(seconds=0.1)
    half.go_on.set()
    found = one.state()
    assert (found.status, found.why, cut_off(one)) == ("paused", "stopped", 4)
    assert cut_off_said(one).startswith("4 requests were under way")
    assert "Resume asks for them again" in cut_off_said(one)
    assert run(one, work()).status == "finished"
    again = [body for body, n in bodies(llm_server.requests).items() if n > 1]
    assert Counter(again) == bodies(before) - bodies(replied(before, half, answered))
    assert len(llm_server.requests) == answered + 4 + 4 + left - 4
    assert (cut_off(one), one.state().details["spent"]["calls"]) == (4, answered + left)
    assert "The run asked for them again" in cut_off_said(one)

    whole = job(plan(**options), n=6)
    assert run(whole, work()).status == "finished"
    assert figures(whole) == figures(one)
    assert cut_off_said(whole) == ""


def replies(one) -> list[dict]:
    return [line for line in one.lines("asked.jsonl").read() if "call" in line]


def replied(requests, half, n):
    return [one for one in requests if id(one.body) in half.answered]


def test_closing_waits_for_the_requests_under_way_and_lets_no_other_leave(llm_server, short):
    llm_server.reply = half = Half(3)
    one, queued, runner = (
        job(plan(writer=model(llm_server.base_url), use_cache=False)),
        job(plan()),
        Runner(at_once=1),
    )
    runner.start(one, work())
    runner.start(queued, work())
    until(lambda: half.held == 4)
    threading.Timer(0.3, half.go_on.set).start()
    assert runner.close(seconds=30.0)
    assert len(llm_server.requests) == len(replies(one)) == 7
    assert [(each.state().status, each.state().why) for each in (one, queued)] == [("paused", "stopped")] * 2
    assert run(one, work()).status == "finished"
    assert set(bodies(llm_server.requests).values()) == {1}
    assert cut_off(one) == 0


def test_a_replay_of_routes_asks_again_only_for_what_was_under_way(llm_server, short):
    def interrupted(seconds):
        one, runner = replayed.job(made, n=2), Runner()
        runner.start(one, replay_work(opened))
        if seconds is not None:
            until(lambda: half.held == 3 and len(replies(one)) == 5)
            assert runner.close(seconds)
            half.go_on.set()
            runner.start(one, replay_work(opened))
        assert runner.wait(one, 60)
        assert one.state().status == "finished"
        return one, bodies(llm_server.requests)

    def opened(plan):
        engine = open_index_of(plan)
        return engine, open_writer_of(plan, engine)

    llm_server.reply = half = Half(5, of_its_own)
    made = replayed.plan(writer=model(llm_server.base_url), use_cache=False)
    one, asked = interrupted(0.1)
    llm_server.requests.clear()
    whole, wanted = interrupted(None)
    assert cut_off(one) == (asked - wanted).total() == 3
    assert asked.total() == wanted.total() + 3
    assert one.state().details["spent"]["calls"] == whole.state().details["spent"]["calls"] + 3, "they were made"
    assert [line["cells"].keys() for line in one.lines("rows.jsonl").read()] == [
        line["cells"].keys() for line in whole.lines("rows.jsonl").read()
    ]


def test_requests_are_told_apart_from_what_was_answered_failed_or_was_torn_off(tmp_path):
    ok, bad = Call("rewrite", "m", texts=("a",), raw="a"), Call("rewrite", "m", error="it said nothing")
    first = Requests(Lines(tmp_path / "asked.jsonl"))
    for key in ("answered", "failed", "torn", "retried", "retried", "again"):
        first.sent(key)
    first.came("answered", ok)
    first.came("failed", bad)
    first.came("retried", bad)
    first.came("never sent", bad)  # it had no turn
    first.close()
    with (tmp_path / "asked.jsonl").open("ab") as file:
        file.write(b'{"of": "torn", "call": {"task": "rew')
    second = Requests(Lines(tmp_path / "asked.jsonl"))
    assert second.cut_off == len(["torn", "retried", "again"])
    assert [second.left(key) for key in ("answered", "answered", "failed", "torn")] == [ok, None, None, None]
    second.sent("again")
    second.came("again", ok)
    second.close()
    third = Requests(Lines(tmp_path / "asked.jsonl"))
    assert third.cut_off == 3, "that it came at last does not undo that it was asked twice"
    assert third.left("again") == ok


def test_money_and_time_follow_the_replies_while_the_first_texts_are_on_their_way(llm_server, short):
    llm_server.reply = half = Half(5)
    one, runner = job(plan(writer=model(llm_server.base_url), use_cache=False)), Runner()
    runner.start(one, work())
    until(lambda: half.held == 4)
    until(lambda: one.state().details["spent"]["calls"] == 5)
    found = one.state()
    assert (found.status, found.done) == ("running", 0)
    until(lambda: one.state().seconds > found.seconds)
    half.go_on.set()
    assert runner.wait(one, 60)
    assert one.state().status == "finished"
