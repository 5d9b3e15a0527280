"""Replies kept on disk, as the writer uses them."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from ir_core.budget import Spent, estimate
from ir_core.errors import Cancelled, WriterError
from ir_core.protocols import RunContext
from ir_core.schema import Call, Task, Written
from ir_core.writers._litellm import load
from ir_core.writers.llm import LlmWriter, Price, Slots
from ir_core.writers.reply_store import ReplyStore, store
from tests.llm_server import LlmServer
from tests.test_writer_llm import HISTORY, QUERY, NoSearch

pytestmark = pytest.mark.filterwarnings("ignore:Accessing the:DeprecationWarning")


@pytest.fixture(scope="module", autouse=True)
def _litellm() -> None:
    load()


def writer_at(server: LlmServer, model: str = "openai/test-model", **options) -> LlmWriter:
    given = {"api_base": server.base_url, "deadline_s": 5.0, "backoff_s": 0.02, "slots": Slots()}
    return LlmWriter(model, **{**given, **options})


def write(
    writer: LlmWriter, task: str = "rewrite", *, use_cache: bool = True, **options
) -> tuple[list[Written], tuple[Call, ...]]:
    context = RunContext(writer=writer, searcher=NoSearch(), use_cache=use_cache)
    return writer.write(Task(task, QUERY, **options), context), context.calls


@pytest.mark.parametrize("task", ["rewrite", "multi_query", "hyde", "decompose", "step_back"])
def test_the_second_time_nothing_is_asked_and_the_first_times_figures_are_told(llm_server, task):
    first, (sent,) = write(writer_at(llm_server), task, n=2 if task == "multi_query" else 1)
    again, (kept,) = write(writer_at(llm_server), task, n=2 if task == "multi_query" else 1)
    assert len(llm_server.requests) == 1
    assert again == first
    assert (kept.cached, kept.seconds, kept.first_s) == (True, 0.0, sent.seconds)
    same = ("raw", "texts", "tokens_in", "tokens_out", "cost_usd", "first_token_s", "prompt_version", "model")
    assert [getattr(kept, name) for name in same] == [getattr(sent, name) for name in same]
    assert (sent.cached, sent.first_s) == (False, None)


def test_whatever_decides_a_reply_is_asked_anew(llm_server):
    writer = writer_at(llm_server)
    write(writer)
    write(writer, seed=1)
    write(writer, temperature=0.7)
    write(writer, history=HISTORY)
    write(writer_at(llm_server, "openai/other-model"))
    with LlmServer() as other:
        write(writer_at(other))
        assert len(other.requests) == 1
    assert len(llm_server.requests) == 5


def test_bypassing_asks_again_and_keeps_the_new_reply(llm_server):
    writer = writer_at(llm_server)
    llm_server.reply = "the old words"
    write(writer)
    llm_server.reply = "the new words"
    (new,), (call,) = write(writer, use_cache=False)
    assert (new.text, call.cached, len(llm_server.requests)) == ("the new words", False, 2)
    assert write(writer)[0] == [new]
    store().clear()
    write(writer)
    assert len(llm_server.requests) == 3


def test_an_estimate_counts_the_kept_replies_apart(llm_server):
    writer = writer_at(llm_server, price=Price(1.0, 10.0))
    choices = [("rewrite", {}), ("hyde", {"passages": 4}), ("step_back", {})]
    before = estimate(choices, writer, QUERY)
    assert (before.calls, before.kept) == (6, 0)
    assert len(store()) == 0
    write(writer, "rewrite")
    write(writer, "hyde", n=3, temperature=0.5)
    found = estimate(choices, writer, QUERY)
    assert (found.calls, found.kept) == (6, 4)
    left = [estimate([choice], writer, QUERY) for choice in (("hyde", {"passages": 4}), ("step_back", {}))]
    assert found.tokens_out == sum(one.tokens_out for one in left) < before.tokens_out
    assert left[0].cost_usd == pytest.approx(0.25 * estimate(choices[1:2], writer, "x" + QUERY[1:]).cost_usd)
    seen = Spent(calls=1, answered=1, seconds=2.0)
    assert estimate(choices[:1], writer, QUERY, spent=seen) == replace(
        before, calls=1, kept=1, tokens_in=0, tokens_out=0, seconds=0.0, cost_usd=0.0
    )
    write(writer, "step_back")
    write(writer, "hyde", n=4, temperature=0.5)
    assert estimate(choices, writer, QUERY).kept == 6
    assert estimate(choices, writer_at(llm_server, "openai/other"), QUERY).kept == 0
    asked = len(llm_server.requests)
    assert asked == 6


def test_samples_of_one_passage_are_kept_apart(llm_server):
    llm_server.reply = lambda body: f"passage number {body['seed']}"
    writer = writer_at(llm_server)
    first, calls = write(writer, "hyde", n=3)
    again, kept = write(writer, "hyde", n=3)
    assert len({text.text for text in first}) == len(calls) == len(kept) == 3
    assert again == first
    assert all(call.cached for call in kept)
    more, _ = write(writer, "hyde", n=4)
    assert len(more) == len(llm_server.requests) == 4


@pytest.mark.parametrize("behaviour", ["{}", "blank", "500", "html", "half json", "2mb", "drop"])
def test_a_failure_is_never_kept(llm_server, behaviour):
    llm_server.queue(behaviour)
    with pytest.raises(WriterError):
        write(writer_at(llm_server, retries=0))
    assert len(store()) == 0
    _, (call,) = write(writer_at(llm_server))
    assert not call.cached


def test_visitors_who_want_the_same_at_once_share_one_request(llm_server):
    llm_server.queue("slow")
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda _: write(writer_at(llm_server)), range(6)))
    assert len(llm_server.requests) == 1
    assert len({texts[0].text for texts, _ in found}) == 1
    assert sorted(call.cached for _, (call,) in found) == [False] + [True] * 5
    assert max(call.queued for _, (call,) in found) > 0.1


def test_who_waits_for_the_same_request_can_be_stopped(llm_server):
    llm_server.queue("hang")
    first, second = (RunContext(writer=writer_at(llm_server), searcher=NoSearch()) for _ in range(2))
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(first.write, Task("rewrite", QUERY))
        while not llm_server.requests:
            time.sleep(0.01)
        threading.Timer(0.1, second.cancel.set).start()
        with pytest.raises(Cancelled):
            second.write(Task("rewrite", QUERY))
        first.cancel.set()
        with pytest.raises(Cancelled):
            waiting.result()
    assert len(llm_server.requests) == 1


def test_writing_goes_on_where_nothing_can_be_kept(llm_server, tmp_path: Path):
    (tmp_path / "file").write_text("")
    writer = writer_at(llm_server, replies=ReplyStore(tmp_path / "file"))
    for _ in range(2):
        _, (call,) = write(writer)
        assert not call.cached
