"""The Writer box: which writers there are, what is listed and tested on a click, keys, prices, recordings."""

from __future__ import annotations

import time

import pytest

from ir_core import config
from ir_core.writers import local
from pages._ui import keys, resources, serving, writer_asking
from pages._ui.keys import Keys
from tests.app import build, everything_in, open_app, press, shown

MODEL = "corpus=help_center&q=hello+there&writer=openai/test-model&t=rewrite"
PLAIN = b"query\tpassage\nhello there\tA greeting begins a conversation.\nsecond query\tAnother text.\n"


def when_over(app, slot: str):
    job = resources.questions().get(app.session_state[slot])
    began = time.monotonic()
    while not job.is_over and time.monotonic() - began < 60:
        job.wait(0, 0.2)
    return app.run()


def bring(app, data: bytes, name: str = "made.tsv"):
    number = app.session_state["recording_number"]
    return app.file_uploader(key=f"recording_file_{number}").set_value((name, data, "text/plain")).run()


@pytest.mark.parametrize(
    ("name", "kind"),
    [("corpus", "corpus"), ("local", "local"), ("recorded", "recorded"), ("openai/gpt-4.1-mini", "model")],
)
def test_a_link_opens_with_its_kind_of_writer(name, kind):
    app = open_app(f"corpus=help_center&q=bin&writer={name}")
    shown(app)
    assert app.radio(key="writer").value == kind
    if kind == "model":
        assert app.text_input(key="model").value == name


def test_the_local_model_is_offered_or_says_how_to_get_it():
    page = shown(open_app("writer=local"))
    assert ("135 million parameters" in page) is (local.available() is None)
    if reason := local.available():
        assert "Run: pip install" in reason
        assert "Run: pip install" in page


def test_nothing_is_asked_before_a_click_and_then_the_models_are_listed_and_one_is_taken(llm_server):
    app = open_app(MODEL)
    app.text_input(key="base_url").set_value(llm_server.base_url).run()
    assert not [box for box in app.selectbox if box.key == "model_listed"]
    app = when_over(press(app, "list_models"), writer_asking.LISTING)
    app.selectbox(key="model_listed").set_value("openai/test-model").run()
    assert app.text_input(key="model").value == "openai/test-model"
    assert llm_server.requests == [], "listing asks no model"
    app.text_input(key="base_url").set_value("http://127.0.0.1:9/v1").run()
    page = shown(when_over(press(app, "list_models"), writer_asking.LISTING))
    assert "127.0.0.1:9 listed no model, or did not answer." in page


def test_a_test_says_how_fast_and_at_what_price_or_that_it_is_unknown(llm_server):
    app = open_app(MODEL)
    app.text_input(key="base_url").set_value(llm_server.base_url).run()
    page = shown(when_over(press(app, "test_model"), writer_asking.TESTING))
    assert "to the first token, 18 tokens, cost unknown." in page
    app.number_input(key="price_in.openai/test-model").set_value(1.0).run()
    assert "Set both" in shown(app)
    app.number_input(key="price_out.openai/test-model").set_value(10.0).run()
    page = shown(when_over(press(app, "test_model"), writer_asking.TESTING))
    assert f"18 tokens, ${(11 * 1 + 7 * 10) / 1e6:.6f}." in page
    assert len(llm_server.requests) == 2
    assert app.session_state["purse"].spent().calls == 2  # they cost money, too


def test_a_failed_test_is_a_sentence_without_the_key(llm_server):
    llm_server.queue("echo key")
    app = open_app(MODEL)
    app.text_input(key="base_url").set_value(llm_server.base_url)
    app.text_input(key="api_key").set_value("marker-that-looks-like-no-key").run()
    page = shown(when_over(press(app, "test_model"), writer_asking.TESTING))
    assert "Problem" in page
    assert "[hidden]" in page
    assert "marker-that" not in page + repr(vars(resources.questions().get(app.session_state["test_job"])))


def test_a_typed_key_leaves_the_widget_and_is_forgotten_on_a_click():
    app = open_app(MODEL)
    app.text_input(key="api_key").set_value("sk-kept-for-this-visit").run()
    assert "A key is kept for this visit." in shown(app)
    assert "sk-kept" not in everything_in(app)
    assert keys.KEPT.of(app.session_state["visit"]).reveal() == "sk-kept-for-this-visit"
    app = press(app, "forget_key")
    assert app.text_input(key="api_key").value == ""
    assert keys.KEPT.of(app.session_state["visit"]) is None


def test_two_visits_have_two_keys():
    first, second = open_app(MODEL), open_app(MODEL)
    first.text_input(key="api_key").set_value("sk-of-the-first").run()
    assert "A key is kept" not in shown(second.run())


def test_an_idle_key_expires_a_used_one_stays_and_the_store_is_bounded(monkeypatch):
    now, dropped = [0.0], []
    kept = Keys(lambda: dropped.append(now[0]), idle_s=1_800, clock=lambda: now[0])
    kept.keep("a", "key-of-a-0001")
    kept.keep("b", "key-of-b-0001")
    now[0] = 1_000
    assert kept.of("a").reveal() == "key-of-a-0001"
    now[0] = 1_900
    kept.sweep()
    assert kept.hidden_in("key-of-a-0001 key-of-b-0001") == "[hidden] key-of-b-0001", "b was idle for too long"
    assert dropped == [1_900]
    assert kept.of("a") is not None
    monkeypatch.setattr(keys, "MOST", 1)
    kept.keep("c", "key-of-c-0001")
    assert kept.of("a") is None
    assert kept.of("c") is not None
    kept.forget("c")


def test_a_key_goes_although_nobody_looks():
    kept = Keys(lambda: None, idle_s=0.2)
    kept.keep("a", "key-of-a-0001")
    began = time.monotonic()
    while kept.hidden_in("key-of-a-0001") == "[hidden]" and time.monotonic() - began < 30:
        time.sleep(0.05)
    assert kept.hidden_in("key-of-a-0001") == "key-of-a-0001"


def test_elsewhere_a_server_is_chosen_from_the_list_by_its_host(monkeypatch, llm_server):
    monkeypatch.setattr(serving, "address", lambda: "0.0.0.0")
    monkeypatch.setenv("QUERY_PRISM_BASE_URLS", f"{llm_server.base_url}/secret-path, https://b.example/v1")
    app = open_app(MODEL)
    shown(app)
    assert not [box for box in app.text_input if box.key == "base_url"]
    box = app.selectbox(key="base_url_listed")
    host = llm_server.base_url.removeprefix("http://").removesuffix("/v1")
    assert list(box.options) == ["the provider's own", host, "b.example"]
    monkeypatch.delenv("QUERY_PRISM_BASE_URLS")
    assert not [box for box in open_app(MODEL).selectbox if box.key == "base_url_listed"]


@pytest.mark.usefixtures("ready")
def test_a_recording_is_described_and_replayed_and_a_bad_file_loses_nothing():
    app = open_app("corpus=help_center&q=hello+there&writer=recorded&t=hyde")
    app = bring(app, PLAIN)
    assert "say what they are for" in shown(app)
    app.selectbox(key="recording_task").set_value("hyde").run()
    assert "2 queries: hyde" in shown(app)
    bad = shown(bring(app, b"\xff\xfe not text", "bad.tsv"))
    assert "is not UTF-8 text" in bad
    assert "What was chosen before stays." in bad
    page = shown(press(app, "compare"))
    assert "A greeting begins a conversation." in page
    assert "fell back" not in page


@pytest.mark.usefixtures("ready")
def test_what_is_written_is_recorded_and_replays(llm_server):
    app = open_app(MODEL)
    app.text_input(key="base_url").set_value(llm_server.base_url)
    app.toggle(key="record_on").set_value(True).run()
    assert "The next comparison is recorded." in shown(app)
    app = press(app, "compare")
    assert "1 reply kept" in shown(app)
    assert "Download (" in "".join(button.label for button in app.get("download_button"))
    made = (config.home() / "recordings" / "made").glob("*.jsonl")
    (file,) = [one for one in made if app.session_state["record_name"] in one.name]
    data = file.read_bytes()
    app.radio(key="writer").set_value("recorded").run()
    asked = len(llm_server.requests)
    page = shown(bring(app, data, "class.jsonl"))
    assert "recorded: openai/test-model" in page
    assert "1 query: rewrite" in page
    page = shown(press(app, "compare"))
    assert "one text" in page
    assert len(llm_server.requests) == asked


@pytest.mark.usefixtures("ready")
def test_a_deadline_is_set_per_reply_and_holds(llm_server):
    app = open_app(MODEL)
    app.text_input(key="base_url").set_value(llm_server.base_url)
    app.text_input(key="query").set_value("how long is a deadline")
    app.number_input(key="deadline").set_value(1).run()
    llm_server.queue("hang")
    page = shown(press(app, "compare"))
    assert "did not finish within 1 s" in page
    assert len(llm_server.requests) == 1


def test_without_a_model_one_sentence_says_so_and_nothing_is_asked():
    build("help_center")
    app = open_app("corpus=help_center&q=guests")
    app.radio(key="writer").set_value("model").run()
    page = shown(press(app, "compare"))
    assert "No model is named. Open Writer" in page
    assert "not run" not in page


def test_a_link_from_a_server_of_ones_own_says_that_its_base_url_is_missing():
    build("help_center")
    link = "corpus=help_center&q=guests&writer=openai/test-model&at=own"
    assert "Type its base URL in Writer" in shown(open_app(link))
    assert "Type its base URL" not in shown(open_app(link.removesuffix("&at=own")))
