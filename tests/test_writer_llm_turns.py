"""Requests to a model that wait, are stopped, or go out together."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from ir_core.errors import Cancelled
from ir_core.schema import Task
from ir_core.writers.llm import Slots
from tests.test_writer_llm import QUERY, _litellm, _only_loopback, context_for, failure, write, writer_at  # noqa: F401


def test_only_so_many_at_once_and_the_wait_is_on_record(llm_server):
    writer = writer_at(llm_server, slots=Slots(2))
    llm_server.queue(*["slow"] * 6)
    with ThreadPoolExecutor(6) as pool:
        calls = [call for _, (call,) in pool.map(lambda seed: write(writer, seed=seed), range(6))]
    assert llm_server.most_at_once == 2
    assert sum(call.queued > 0.2 for call in calls) == 4
    # Were the wait counted in, too, the last one's seconds would be both.
    longest_wait, own = max(call.queued for call in calls), [call.seconds for call in calls]
    assert max(own) < longest_wait + min(own)


def test_no_turn_in_time_is_a_timeout(llm_server):
    slots = Slots(1)
    with slots.one(threading.Event()), pytest.raises(TimeoutError), slots.one(threading.Event(), patience=0.1):
        pytest.fail("there was no free slot")
    with slots.one(threading.Event()) as waited:
        assert waited < 5


@pytest.mark.parametrize("behaviour", ["hang", "drip", "drip words", "429"])
def test_a_newer_query_stops_a_call_at_once_and_the_next_try(llm_server, behaviour):
    llm_server.retry_after = "3"
    llm_server.queue(*[behaviour] * 3)
    writer = writer_at(llm_server)
    context = context_for(writer)
    threading.Timer(0.2, context.cancel.set).start()
    started = time.perf_counter()
    with pytest.raises(Cancelled):
        writer.write(Task("rewrite", QUERY), context)
    assert time.perf_counter() - started < 3, "neither the deadline nor the wait asked for"
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
