"""Compare with a writer that costs, has a key, or is dead."""

from __future__ import annotations

import pytest

from pages._ui import resources
from tests.app import open_app, press, shown


@pytest.mark.usefixtures("ready")
def test_a_link_with_a_paid_writer_waits_and_holds_no_key():
    app = open_app("corpus=help_center&q=hello+there&writer=openai/some-model")
    page = shown(app)
    assert "waiting: pressing Compare asks openai/some-model" in page
    assert 'class="qp-hit"' not in page
    assert app.text_input(key="query").value == "hello there"
    assert app.text_input(key="model").value == "openai/some-model"


@pytest.mark.usefixtures("ready")
def test_a_typed_key_reaches_the_writer_and_nothing_that_is_shown_or_shared(llm_server):
    app = open_app("corpus=help_center&q=hello+there&writer=openai/test-model&t=rewrite&t=hyde")
    key = "sk-typed-for-this-visit-0001"
    app.text_input(key="api_key").set_value(key)
    app.text_input(key="base_url").set_value(llm_server.base_url)
    app = press(app, "compare")
    assert "3 of 3 finished" in shown(app)
    assert {
        request.headers.get("authorization", request.headers.get("Authorization")) for request in llm_server.requests
    } == {f"Bearer {key}"}
    everything = shown(app) + "".join(item.value for item in app.code) + str(app.query_params)
    assert key not in everything
    assert key not in str(vars(resources.runs().get(app.session_state["run"])))
    assert "Hypothetical, not from the corpus" in shown(app)
    assert "no LLM</span>" not in shown(app)


@pytest.mark.usefixtures("ready")
def test_a_dead_writer_falls_back_and_says_so(llm_server):
    llm_server.queue("401")
    app = open_app("corpus=help_center&q=hello+there&writer=openai/test-model&t=rewrite")
    app.text_input(key="api_key").set_value("sk-wrong-key-000000")
    app.text_input(key="base_url").set_value(llm_server.base_url)
    page = shown(press(app, "compare"))
    assert "1 fell back" in page
    assert "Fell back to the original query:" in page
    assert 'class="qp-hit' in page
