"""Requests to a model that wait, are stopped, or go out together."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from ir_core.errors import Cancelled
from ir_core.schema import Task
from ir_core.writers.llm import Slots
from tests.llm_server import fitting_reply
from tests.test_evaluation_killed import until
from tests.test_writer_llm import QUERY, _litellm, _only_loopback, context_for, failure, write, writer_at  # noqa: F401


def test_only_so_many_at_once_and_the_wait_is_on_record(llm_server):
    slots = Slots(2)
    writer = writer_at(llm_server, slots=slots, deadline_s=60.0)
    write(writer)  # what only the first one loads would hide a wait counted twice
    llm_server.reset()

    def reply(body):
        if len(llm_server.requests) <= 2:
            until(lambda: slots.waiting == 4)
            time.sleep(0.3)
        return fitting_reply(body)

    def timed(seed):
        started = time.perf_counter()
        _, (call,) = write(writer, seed=seed)
        return call, time.perf_counter() - started

    llm_server.reply = reply
    with ThreadPoolExecutor(6) as pool:
        calls = list(pool.map(timed, range(6)))
    assert llm_server.most_at_once == 2
    assert sum(call.queued >= 0.3 for call, _ in calls) == 4
    assert all(call.queued + call.seconds <= whole for call, whole in calls), "the wait is counted once"


def test_no_turn_in_time_is_a_timeout(llm_server):
    slots = Slots(1)
    with slots.one(threading.Event()), pytest.raises(TimeoutError), slots.one(threading.Event(), patience=0.1):
        pytest.fail("there was no free slot")
    with slots.one(threading.Event()) as waited:
        assert waited < 5


@pytest.mark.parametrize("behaviour", ["hang", "drip", "drip words", "429"])
def test_a_newer_query_stops_a_call_at_once_and_the_next_try(llm_server, behaviour):
    llm_server.retry_after = "40"
    llm_server.queue(*[behaviour] * 3)
    writer = writer_at(llm_server, deadline_s=60.0)
    context = context_for(writer)
    stopped = []

    def stop():
        until(lambda: context.calls if behaviour == "429" else llm_server.requests)
        context.cancel.set()
        stopped.append(time.perf_counter())

    threading.Thread(target=stop, daemon=True).start()
    with pytest.raises(Cancelled):
        writer.write(Task("rewrite", QUERY), context)
    assert time.perf_counter() - stopped[0] < 20, "neither the deadline nor the wait asked for"
    assert len(llm_server.requests) == len(context.calls) == 1
    with pytest.raises(Cancelled):
        writer.write(Task("rewrite", QUERY), context)
    assert len(llm_server.requests) == 1


def test_passages_are_sampled_apart_and_at_the_same_time(llm_server):
    llm_server.reply = lambda body: f"passage number {body['seed']}"
    llm_server.queue("slow", "slow", "slow")
    written, calls = write(writer_at(llm_server), "hyde", n=3, seed=5)
    assert llm_server.most_at_once == 3
    assert [one.text for one in written] == ["passage number 5", "passage number 6", "passage number 7"]
    assert len(calls) == 3


def test_one_passage_that_fails_fails_them_all(llm_server):
    llm_server.queue("well", "401", "well")
    error, calls, _ = failure(writer_at(llm_server), "hyde", n=3)
    assert "refused the key" in str(error)
    assert len(calls) == 3
