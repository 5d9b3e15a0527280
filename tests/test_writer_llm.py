"""The litellm writer against a real HTTP server on loopback, good and bad."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from ir_core import prompts
from ir_core.errors import WriterError, WriterTimeout
from ir_core.protocols import RunContext
from ir_core.schema import Call, Task, Written
from ir_core.writers._litellm import load
from ir_core.writers.llm import LlmWriter, Price, Slots
from tests.llm_server import LlmServer

pytestmark = pytest.mark.filterwarnings("ignore:Accessing the:DeprecationWarning")
KEY = "sk-marker-51f0c2aa9e"
QUERY = "how do I turn on prompt caching"
HISTORY = ({"role": "user", "content": "tell me about Atlas"}, {"role": "assistant", "content": "A portal."})
CONNECTED: list[str] = []


def _watch(event: str, args: tuple) -> None:
    if event in {"socket.connect", "socket.getaddrinfo"}:
        CONNECTED.append(str(args[1][0] if event == "socket.connect" and isinstance(args[1], tuple) else args[0]))


sys.addaudithook(_watch)


class NoSearch:
    steps = ()


@pytest.fixture(scope="module", autouse=True)
def _litellm() -> None:
    CONNECTED.clear()
    load()
    assert CONNECTED == []


@pytest.fixture(autouse=True)
def _only_loopback() -> Iterator[None]:
    CONNECTED.clear()
    yield
    assert set(CONNECTED) <= {"127.0.0.1"}


def test_the_watch_sees_where_a_request_goes(llm_server):
    write(writer_at(llm_server))
    assert "127.0.0.1" in CONNECTED


def writer_at(server: LlmServer, model: str = "openai/test-model", **options) -> LlmWriter:
    given = {"api_key": KEY, "deadline_s": 5.0, "backoff_s": 0.02, "slots": Slots()}
    return LlmWriter(model, api_base=server.base_url, **{**given, **options})


def context_for(writer: LlmWriter, **options) -> RunContext:
    return RunContext(writer=writer, searcher=NoSearch(), **options)


def write(writer: LlmWriter, task: str = "rewrite", **options) -> tuple[list[Written], tuple[Call, ...]]:
    """Always asked anew; what is kept is the subject of test_writer_llm_kept.py."""
    context = context_for(writer, use_cache=False)
    return writer.write(Task(task, QUERY, **options), context), context.calls


def failure(writer: LlmWriter, task: str = "rewrite", **options) -> tuple[WriterError, tuple[Call, ...], float]:
    context = context_for(writer, use_cache=False)
    started = time.perf_counter()
    with pytest.raises(WriterError) as caught:
        writer.write(Task(task, QUERY, **options), context)
    return caught.value, context.calls, time.perf_counter() - started


@pytest.mark.parametrize(
    ("task", "n", "texts", "temperature"),
    [
        ("rewrite", 1, 1, 0),
        ("multi_query", 2, 2, 0.2),
        ("hyde", 1, 1, 0.3),
        ("decompose", 4, 3, 0),
        ("step_back", 1, 1, 0),
    ],
)
def test_each_task_is_one_complete_request(llm_server, task, n, texts, temperature):
    written, (call,) = write(writer_at(llm_server), task, n=n, history=HISTORY, seed=7)
    assert len(written) == texts
    assert call.texts == tuple(one.text for one in written)
    prompt = prompts.load(task)
    assert (call.model, call.prompt_id, call.prompt_version) == ("openai/test-model", prompt.id, prompt.version)
    assert (call.tokens_in, call.tokens_out, call.cost_usd, call.error) == (11, 7, None, None)
    assert 0 < call.first_token_s <= call.seconds
    (request,) = llm_server.requests
    assert request.body["temperature"] == temperature
    assert request.body["seed"] == 7
    assert request.text.index("tell me about Atlas") < request.text.index(QUERY)
    assert request.headers["authorization"] == f"Bearer {KEY}"


def test_the_tasks_own_temperature_wins(llm_server):
    write(writer_at(llm_server), "hyde", temperature=0.5)
    assert llm_server.requests[0].body["temperature"] == 0.5


@pytest.mark.parametrize(
    ("behaviour", "requests", "words"),
    [
        ("429", 3, "over its rate limit (429) after 3 tries"),
        ("500", 3, "failed (500) after 3 tries"),
        ("503", 3, "failed (503) after 3 tries"),
        ("drop", 3, "broke off after 3 tries"),
        ("drop early", 3, "could not be reached after 3 tries"),
        ("401", 1, "refused the key (401)"),
        ("404", 1, "does not have this model (404"),
        ("echo key", 1, "refused the request (400: Incorrect key provided: [hidden])"),
        ("html", 1, "a web page in place of a chat reply"),
        ("html 502", 1, "a web page in place of a chat reply"),
        ("garbage", 1, "no chat reply"),
        ("half json", 1, "the reply was empty"),
        ("nothing", 1, "the reply was empty"),
        ("blank", 1, "the reply was empty"),
        ("{}", 1, "could not be used as a query ({})"),
        ("2mb", 1, "wrote more than 20,000 characters"),
    ],
)
def test_a_bad_server_is_one_sentence_and_exactly_the_tries_that_can_help(llm_server, behaviour, requests, words):
    llm_server.queue(*[behaviour] * 4)
    error, calls, seconds = failure(writer_at(llm_server))
    assert words in str(error)
    assert str(error).startswith("openai/test-model: ")
    assert str(error).endswith(".")
    assert "\n" not in str(error)
    assert len(llm_server.requests) == len(calls) == requests
    assert all(call.error for call in calls)
    assert seconds < 5, "the deadline"


@pytest.mark.parametrize("behaviour", ["hang", "drip", "drip words"])
def test_no_server_outlives_the_deadline(llm_server, behaviour):
    llm_server.queue(behaviour)
    error, (call,), seconds = failure(writer_at(llm_server, deadline_s=0.5))
    assert isinstance(error, WriterTimeout)
    assert "did not finish within 0.5 s" in str(error)
    assert 0.4 < seconds < 10, "left to itself it would go on for a minute or more"
    assert call.raw.startswith({"hang": "", "drip": 'data: {"id": "xx', "drip words": "word word"}[behaviour])


def test_429_then_200_is_two_calls_and_an_answer(llm_server):
    llm_server.queue("429 then 200")
    written, (first, second) = write(writer_at(llm_server))
    assert "429" in first.error
    assert second.error is None
    assert second.texts == (written[0].text,)


def test_retry_after_is_kept_up_to_the_deadline(llm_server):
    llm_server.retry_after = "0.4"
    llm_server.queue("503")
    write(writer_at(llm_server))
    first, second = llm_server.requests
    assert second.at - first.at >= 0.4
    llm_server.retry_after = "60"
    llm_server.queue("429")
    error, calls, seconds = failure(writer_at(llm_server))
    assert "asks to wait 60 s" in str(error)
    assert len(calls) == 1
    assert seconds < 30, "it did not wait the minute"


def test_a_server_that_is_not_there(llm_server):
    writer = writer_at(llm_server, deadline_s=20.0)
    llm_server.close()
    error, calls, _ = failure(writer)
    assert "could not be reached after 3 tries; check that the server runs" in str(error)
    assert len(calls) == 3


@pytest.mark.parametrize(
    ("model", "words"),
    [("gpt-4o-mini", "there is no key for it"), ("nobody/model", "no provider is known for this model")],
)
def test_a_wrong_set_up_is_explained_without_a_request(model, words):
    error, calls, _ = failure(LlmWriter(model))
    assert words in str(error)
    assert len(calls) == 1


def test_cost_is_the_listed_price_or_the_users_or_unknown(llm_server):
    listed = load().model_cost["gpt-4.1-mini"]
    _, (call,) = write(writer_at(llm_server, "openai/gpt-4.1-mini"))
    expected = 11 * listed["input_cost_per_token"] + 7 * listed["output_cost_per_token"]
    assert call.cost_usd == pytest.approx(expected)
    _, (call,) = write(writer_at(llm_server, price=Price(2.0, 8.0)))
    assert call.cost_usd == pytest.approx(11 * 2e-6 + 7 * 8e-6)
    for unlisted in ("openai/test-model", "hosted_vllm/gpt-4.1-mini", "lm_studio/x"):
        _, (call,) = write(writer_at(llm_server, unlisted))
        assert (call.tokens_in, call.cost_usd) == (11, None), unlisted


def test_missing_usage_is_unknown_never_zero_or_an_estimate(llm_server):
    llm_server.queue("no usage")
    _, (call,) = write(writer_at(llm_server, "openai/gpt-4.1-mini", price=Price(1, 1)))
    assert (call.tokens_in, call.tokens_out, call.cost_usd) == (None, None, None)


def test_a_question_stays_whole_where_there_is_nothing_to_split(llm_server):
    llm_server.reply = f'["{QUERY}?"]'
    written, _ = write(writer_at(llm_server), "decompose", n=4)
    assert [one.text for one in written] == [f"{QUERY}?"]
    error, _, _ = failure(writer_at(llm_server), "multi_query", n=3)
    assert "could not be used as new queries" in str(error)


def test_opening_the_module_imports_no_litellm():
    code = "import sys, ir_core.writers.llm; sys.exit('litellm' in sys.modules or 'openai' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
