"""Which models there are, and whether one answers."""

from __future__ import annotations

import re

import pytest

from ir_core.errors import BadSetting, TaskUnsupported, WriterError, WriterTimeout
from ir_core.writers._litellm import load
from ir_core.writers.llm import LlmWriter, Price, available_models, probe
from tests.test_writer_llm import CONNECTED, _litellm, _only_loopback, write, writer_at  # noqa: F401


def test_a_model_is_tried_out_with_one_request_that_nobody_keeps(llm_server):
    llm_server.reply = "ready"
    writer = writer_at(llm_server, price=Price(2.0, 8.0))
    call = probe(writer)
    assert (call.raw, call.tokens_in, call.cost_usd) == ("ready", 11, pytest.approx(11 * 2e-6 + 7 * 8e-6))
    assert 0 < call.first_token_s <= call.seconds
    probe(writer)
    assert len(llm_server.requests) == 2
    for behaviour, words in (("500", "failed (500)"), ("401", "refused the key"), ("blank", "the reply was empty")):
        llm_server.queue(behaviour)
        with pytest.raises(WriterError, match=rf"^openai/test-model: .*{re.escape(words)}.*\.$"):
            probe(writer)
    llm_server.queue("hang")
    with pytest.raises(WriterTimeout, match=r"within 0\.3 s"):
        probe(writer, deadline_s=0.3)
    assert len(llm_server.requests) == 6


def test_requests_share_a_client(llm_server):
    clients = load().in_memory_llm_clients_cache.cache_dict
    write(writer_at(llm_server))
    before = len(clients)
    for seed in range(5):
        write(writer_at(llm_server), seed=seed)
    assert len(clients) == before


def test_bad_settings_are_refused_before_anything_is_sent(llm_server):
    with pytest.raises(BadSetting, match="provider/model"):
        LlmWriter("  ")
    with pytest.raises(BadSetting, match="http"):
        LlmWriter("openai/x", api_base="file:///etc/passwd")
    with pytest.raises(BadSetting, match="above 0"):
        LlmWriter("openai/x", deadline_s=0)
    with pytest.raises(TaskUnsupported, match="cannot do sing"):
        write(writer_at(llm_server), "sing")
    assert llm_server.requests == []


def test_models_are_listed_by_key_or_by_the_server(llm_server, monkeypatch):
    assert available_models() == []
    assert available_models(ask_servers=True, api_base=llm_server.base_url) == ["openai/test-model"]
    CONNECTED.clear()
    monkeypatch.setenv("OPENAI_API_KEY", "environment-key-0123456789")
    listed = available_models()
    assert "gpt-4.1-mini" in listed
    assert not [name for name in listed if "embedding" in name]
    assert CONNECTED == []
