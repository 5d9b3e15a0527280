"""The pages of a shared server, without a browser: what is off, what is read-only, and the door."""

from __future__ import annotations

import threading

import pytest
import streamlit as st
from streamlit import config as streamlit_config
from streamlit.runtime.secrets import Secrets

from ir_core import config, library, visits
from ir_core.embedders import DEFAULT_EMBEDDER
from ir_core.errors import BadInput
from ir_core.index import IndexSettings
from ir_core.jobs import Handle, JobStore, run
from pages._ui import building, evaluations, serving, signing, visit
from pages._ui.building import Order
from tests.app import build, open_app, press, shown

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


def test_a_language_that_is_not_read_is_told_with_who_can_change_it():
    app = open_app("corpus=bilingual", page="corpus")
    page = shown(app)
    assert "documents are in Arabic, which all-MiniLM-L6-v2 does not read" in page
    assert "On this server only whoever runs it can add an embedder to the list." in page
    assert "use_multilingual" not in {button.key for button in app.button}


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


def test_settings_that_cannot_be_read_or_are_not_complete_do_not_open_the_door(monkeypatch, tmp_path):
    damaged = tmp_path / "secrets.toml"
    damaged.write_text("[auth\nclient_id = 1", "utf-8")
    monkeypatch.setattr(st, "secrets", Secrets())
    files = streamlit_config.get_option("secrets.files")
    try:
        streamlit_config.set_option("secrets.files", [str(damaged)])
        app = open_app()
    finally:
        streamlit_config.set_option("secrets.files", files)
    assert signing.DAMAGED in shown(app)
    assert not app.button
    assert not app.text_input
    without = {name: value for name, value in SIGNING.items() if name != "client_id"}
    for section in (without, "typed in the wrong place"):
        app = open_app(secrets={"auth": section})
        assert signing.INCOMPLETE in shown(app)
        assert not app.text_input


def test_several_services_are_offered_by_name_and_one_that_is_away_is_said():
    named = {"google": {"client_id": "a", "server_metadata_url": SIGNING["server_metadata_url"]}, "okta": SIGNING}
    app = open_app(secrets={"auth": {"redirect_uri": "x", "cookie_secret": "y" * 32, **named}})
    assert [button.label for button in app.button] == ["Sign in with google", "Sign in with okta"]
    assert signing.UNREACHED in shown(press(app, "sign_in"))


def test_calls_on_the_servers_own_keys_have_a_cap_of_its_own(monkeypatch):
    assert serving.calls_per_visit() == serving.CALLS_PER_VISIT
    for said, most in (("7", 7), ("many", serving.CALLS_PER_VISIT), ("", serving.CALLS_PER_VISIT)):
        monkeypatch.setenv(serving.CALLS, said)
        assert serving.calls_per_visit() == most


def test_a_visit_runs_one_evaluation_at_a_time():
    began, go = threading.Event(), threading.Event()

    def work(_: Handle) -> None:
        began.set()
        go.wait(30)

    with visits.entered("a" * 24):
        first, second = (JobStore().create("test", {}, title="a run") for _ in range(2))
        thread = threading.Thread(target=run, args=(first, work))
        thread.start()
        assert began.wait(30)
        with pytest.raises(BadInput, match="one evaluation at a time"):
            evaluations.start(second)
        go.set()
        thread.join(30)
