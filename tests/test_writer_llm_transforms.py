"""Every transform against a server that behaves in every way: it ends in time, says what happened, and asks exactly
as often as it was told to."""

from __future__ import annotations

import json
import re
import time
from typing import Any

import pytest

from ir_core.protocols import RunContext
from ir_core.retrieval import IndexSearcher, SearchSettings
from ir_core.transforms import TRANSFORMS
from ir_core.writers._litellm import load
from ir_core.writers.llm import LlmWriter, Slots
from ir_core.writers.reply_store import store
from tests.llm_server import LlmServer, fitting_reply
from tests.transforming import ASKED, TALK, engine

pytestmark = pytest.mark.filterwarnings("ignore:Accessing the:DeprecationWarning")
QUERY = "how do I turn on prompt caching"
SHORT_S, LONG_S = 0.3, 10.0
"""For servers that never end, and for all others, which must not meet it on a busy machine."""
TRIES = 3
WRITTEN = [item.name for item in TRANSFORMS if item.needs_writer]
GOOD = {"well": 1, "slow": 1, "429 then 200": 2, "500 then 200": 2, "drop then 200": 2, "no usage": 1, "whole": 1}
BAD = {
    "429": (TRIES, "is over its rate limit (429) after 3 tries"),
    "500": (TRIES, "failed (500) after 3 tries"),
    "drop": (TRIES, "broke off after 3 tries"),
    "drop early": (TRIES, "could not be reached after 3 tries"),
    "drip": (1, "did not finish within 0.3 s"),
    "drip words": (1, "did not finish within 0.3 s"),
    "hang": (1, "did not finish within 0.3 s"),
    "html": (1, "a web page in place of a chat reply"),
    "garbage": (1, "sent something that is no chat reply"),
    "half json": (1, "the reply was empty"),
    "nothing": (1, "the reply was empty"),
    "{}": (1, "the reply could not be used as"),
    "2mb": (1, "wrote more than 20,000 characters"),
    "whole drip": (1, "did not finish within 0.3 s"),
}


@pytest.fixture(scope="module", autouse=True)
def _litellm() -> None:
    load()


def reply(body: dict[str, Any]) -> str:
    """A sentence of the first passage where a list is to be taken from passages, else what fits."""
    asked = " ".join(message["content"] for message in body["messages"])
    passage = re.search(r"<passage>\s*([^.]+\.)", asked)
    return json.dumps([passage[1]]) if passage and "JSON" in asked else fitting_reply(body)


def formulate(server: LlmServer, name: str, deadline_s: float = LONG_S):
    writer = LlmWriter(
        "openai/test-model", api_base=server.base_url, deadline_s=deadline_s, retries=TRIES - 1, backoff_s=0.02,
        slots=Slots(),
    )  # fmt: skip
    started = time.perf_counter()
    context = RunContext(writer, IndexSearcher(engine(), SearchSettings()), corpus_language="en")
    made = TRANSFORMS.make(name).formulate(ASKED.get(name, QUERY), TALK.get(name, ()), context)
    return made, time.perf_counter() - started


def test_the_six_transforms_are_here():
    assert {"rewrite", "multi_query", "hyde", "decompose", "step_back"} <= set(WRITTEN)


@pytest.mark.parametrize("behaviour", GOOD)
@pytest.mark.parametrize("name", WRITTEN)
def test_what_a_server_wrote_in_the_end_is_searched(llm_server, name, behaviour):
    llm_server.queue(behaviour)
    llm_server.reply = reply
    made, seconds = formulate(llm_server, name)
    assert made.fallback_reason is None
    assert len(llm_server.requests) == len(made.calls) == GOOD[behaviour]
    new = [query.text for query in made.queries if query.id != made.original.id]
    assert new
    assert all(any(text in one for text in made.calls[-1].texts) for one in new)
    assert [bool(call.error) for call in made.calls] == [True] * (GOOD[behaviour] - 1) + [False]
    assert made.calls[-1].tokens_in == (None if behaviour == "no usage" else 11)
    assert made.calls[-1].cost_usd is None
    assert seconds < LONG_S


@pytest.mark.parametrize("behaviour", BAD)
@pytest.mark.parametrize("name", WRITTEN)
def test_a_transform_falls_back_to_the_original_in_time_and_says_why(llm_server, name, behaviour):
    requests, words = BAD[behaviour]
    llm_server.queue(*[behaviour] * (TRIES + 3))
    deadline_s = SHORT_S if "did not finish" in words else LONG_S
    made, seconds = formulate(llm_server, name, deadline_s)
    assert [query.text for query in made.queries] == [ASKED.get(name, QUERY)]
    assert words in made.fallback_reason
    assert len(llm_server.requests) == len(made.calls) == requests
    assert all(call.error for call in made.calls)
    assert seconds < deadline_s + 10
    assert len(store()) == 0
