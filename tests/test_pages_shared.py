"""The pages of a shared server, without a browser: what is off, what is read-only, and the door."""

from __future__ import annotations

import pytest

from ir_core import config, library, visits
from ir_core.embedders import DEFAULT_EMBEDDER
from ir_core.errors import BadInput
from ir_core.index import IndexSettings
from pages._ui import building, serving, visit
from pages._ui.building import Order
from tests.app import build, open_app, shown

SIGNING = {
    "redirect_uri": "http://localhost:8501/oauth2callback", "cookie_secret": "x" * 32, "client_id": "a",
    "client_secret": "b", "server_metadata_url": "http://127.0.0.1:9/.well-known/openid-configuration",
}  # fmt: skip
ORDER = Order("help_center", None, DEFAULT_EMBEDDER, IndexSettings())


@pytest.fixture(autouse=True)
def shared(monkeypatch):
    monkeypatch.setenv(config.SHARED, "1")
    yield
    visits.ask(lambda: None)


def test_folders_packages_base_urls_and_other_models_are_off():
    assert not serving.on_this_machine()
    assert serving.own_address() is None
    for add in (lambda: library.add_folder("x", "/tmp", server_address=None),
                lambda: library.add_environment(server_address=serving.own_address())):  # fmt: skip
        with pytest.raises(BadInput):
            add()
    page = open_app(page="corpus")
    assert not [button.key for button in page.button if button.key in {"environment", "folder_add"}]
    page = open_app("writer=openai/test-model")
    assert "base_url" not in {box.key for box in page.text_input}
    for strategy, embedder in ((None, "/etc"), ({"name": "Chunked", "params": {"token_model": "/etc"}}, "hashing")):
        with pytest.raises(BadInput, match="embedders of the list"):
            visit.only_offered(strategy, embedder)


def test_a_corpus_of_everybody_is_built_once_and_then_read_only():
    app = open_app("corpus=help_center", page="corpus")
    assert not app.button(key="build_it").disabled, "whoever comes first builds it"
    build("help_center")
    app = open_app("corpus=help_center", page="corpus")
    assert app.button(key="build_it").disabled
    assert visit.READ_ONLY in shown(app)
    with visits.entered("a" * 24), pytest.raises(BadInput, match="read-only"):
        building.start(ORDER)


def test_without_a_section_auth_nobody_is_asked_and_with_one_nothing_is_shown_before():
    assert "Sign in" not in shown(open_app())
    app = open_app(secrets={"auth": SIGNING})
    assert app.button(key="sign_in").label == "Sign in"
    assert [heading.value for heading in app.header] == []
    assert "Query" not in {box.label for box in app.text_input}


def test_calls_on_the_servers_own_keys_have_a_cap_of_its_own(monkeypatch):
    assert serving.calls_per_visit() == serving.CALLS_PER_VISIT
    for said, most in (("7", 7), ("many", serving.CALLS_PER_VISIT), ("", serving.CALLS_PER_VISIT)):
        monkeypatch.setenv(serving.CALLS, said)
        assert serving.calls_per_visit() == most
