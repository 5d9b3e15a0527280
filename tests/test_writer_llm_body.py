"""What a server sent in place of a stream: quoted where it is no reply, read where it is one in a piece."""

from __future__ import annotations

import pytest

from ir_core.budget import Purse
from ir_core.writers._litellm import load
from ir_core.writers._llm_body import QUOTED_CHARS
from ir_core.writers.llm import Price
from tests.test_writer_llm import KEY, failure, write, writer_at

pytestmark = pytest.mark.filterwarnings("ignore:Accessing the:DeprecationWarning")


@pytest.fixture(scope="module", autouse=True)
def _litellm() -> None:
    load()


@pytest.mark.parametrize(
    ("behaviour", "sent"),
    [
        ("html", "<h1>Sign in to the gateway</h1>"),
        ("html 502", "<h1>Sign in to the gateway</h1>"),
        ("garbage", "0123456789:;<=>?@ABC"),
        ("half json", 'data: {"id": "chatcmpl-test"'),
        ("500", '{"error": {"message": "the server says 500"'),
        ("404", "the server says 404"),
        ("echo key", "Incorrect key provided: [hidden]"),
        ("echo key page", "<html> you sent [hidden] [hidden]"),
    ],
)
def test_what_came_in_place_of_a_reply_is_quoted_without_keys_and_control_characters(llm_server, behaviour, sent):
    llm_server.queue(*[behaviour] * 3)
    _, calls, seconds = failure(writer_at(llm_server, backoff_s=0.01))
    for call in calls:
        assert sent in call.raw
        assert len(call.raw) <= QUOTED_CHARS
        assert call.raw.isprintable()
        assert KEY not in call.raw
        assert call.first_token_s is None
    purse = Purse()
    purse.pay(calls[0], None)
    assert purse.spent().unpriced == 0, "an error that is quoted is no word that was paid for"
    assert seconds < 5, "the deadline"


def test_words_that_came_are_shown_and_not_the_stream_they_came_in(llm_server):
    llm_server.queue("drop")
    _, (call,), _ = failure(writer_at(llm_server, retries=0))
    assert call.raw == "half a "
    assert call.first_token_s > 0
    purse = Purse()
    purse.pay(call, None)
    assert purse.spent().unpriced == 1


def test_nothing_sent_is_quoted_as_nothing(llm_server):
    llm_server.queue("nothing")
    assert failure(writer_at(llm_server, retries=0))[1][0].raw == ""


def test_a_server_that_ignores_stream_is_read_with_its_tokens(llm_server):
    llm_server.reply = "prompt caching, switched on"
    llm_server.queue("whole", "whole, no usage")
    (written,), (call,) = write(writer_at(llm_server, price=Price(2.0, 8.0)))
    assert written.text == call.raw == "prompt caching, switched on"
    assert (call.tokens_in, call.tokens_out) == (11, 7)
    assert call.cost_usd == pytest.approx(11 * 2e-6 + 7 * 8e-6)
    assert 0 < call.first_token_s <= call.seconds
    assert len(llm_server.requests) == 1
    _, (uncounted,) = write(writer_at(llm_server, price=Price(2.0, 8.0)))
    assert (uncounted.tokens_in, uncounted.cost_usd, len(llm_server.requests)) == (None, None, 2)


def test_a_reply_in_one_piece_may_be_too_long_or_empty(llm_server):
    llm_server.queue("whole", "whole")
    llm_server.reply = "word " * 5_000
    assert "wrote more than 20,000 characters" in str(failure(writer_at(llm_server))[0])
    llm_server.reply = ""
    error, (call,), _ = failure(writer_at(llm_server))
    assert "the reply was empty" in str(error)
    assert '"content": ""' in call.raw
