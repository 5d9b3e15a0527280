"""Lists by JSON schema: where the model takes one, and what happens where the server does not."""

from __future__ import annotations

import pytest

from ir_core.writers._litellm import load
from ir_core.writers._llm_prices import takes_schema
from ir_core.writers.llm import LlmWriter, Slots
from tests.test_writer_llm import KEY, failure, write, writer_at

pytestmark = pytest.mark.filterwarnings("ignore:Accessing the:DeprecationWarning")


def test_a_list_is_asked_for_by_schema_where_the_model_takes_one(llm_server):
    llm_server.reply = '{"queries": ["one way to say it", "another way"]}'
    write(writer_at(llm_server, "openai/gpt-4.1-mini"), "multi_query", n=2)
    told = writer_at(llm_server, structured=True)
    written, _ = write(told, "multi_query", n=2)
    write(told, "rewrite")
    asked = [request.body.get("response_format", {}).get("type") for request in llm_server.requests]
    assert asked == [None, "json_schema", None]
    assert [one.text for one in written] == ["one way to say it", "another way"]
    litellm = load()
    assert takes_schema(litellm, "openai/gpt-4.1-mini")
    assert not takes_schema(litellm, "openai/gpt-3.5-turbo")
    assert not takes_schema(litellm, "ollama/llama3.1")


def test_a_listed_model_at_its_provider_is_asked_by_schema_unless_told_not_to(llm_server, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", llm_server.base_url)  # stands in for the provider
    for told in (None, False):
        writer = LlmWriter("openai/gpt-4.1-mini", api_key=KEY, slots=Slots(), structured=told)
        write(writer, "multi_query", n=2)
    formats = [request.body.get("response_format") for request in llm_server.requests]
    assert formats[1] is None
    schema = formats[0]["json_schema"]["schema"]
    assert schema["properties"]["queries"] == {"type": "array", "items": {"type": "string"}}


def test_a_server_that_refuses_a_schema_is_asked_once_more_without(llm_server):
    llm_server.queue(*["no schema"] * 3, "400", "400")
    writer = writer_at(llm_server, structured=True, retries=0)
    written, (refused, call) = write(writer, "decompose", n=2)
    assert "refused the request (400" in refused.error
    assert call.texts == tuple(one.text for one in written)
    write(writer, "decompose", n=2)
    assert ["response_format" in request.body for request in llm_server.requests] == [True, False, False]
    failure(writer_at(llm_server, structured=True), "decompose", n=2)
    assert len(llm_server.requests) == 4
