"""Corpus: documents that the embedder does not read, and the way to one that does."""

from __future__ import annotations

import pytest

from tests import tiny_models
from tests.app import open_app, press, shown
from tests.test_pages_corpus import upload

ARABIC = "متحف القاهرة هو أحد أكبر المتاحف في العالم ويقع في ميدان التحرير بوسط القاهرة."
ENGLISH = "The museum of Cairo is one of the largest museums of the world and stands on a square in its centre."


@pytest.fixture
def arabic(monkeypatch):
    """A corpus in two languages, seen with the embedder that reads English; there is no hub."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    app = open_app(page="corpus")
    app.selectbox(key="embedder").set_value("hashing").run()
    app = upload(app, ("one.txt", ARABIC.encode()), ("two.txt", ENGLISH.encode()), title="متاحف")
    assert "use_multilingual" not in {button.key for button in app.button}, "it reads any language"
    return app.selectbox(key="embedder").set_value("all-MiniLM-L6-v2").run()


def test_the_suggestion_is_one_click_away_and_without_a_hub_it_says_what_to_do(arabic):
    page = shown(arabic)
    assert "1 of 2 documents are in Arabic, which all-MiniLM-L6-v2 does not read" in page
    app = press(arabic, "use_multilingual")
    page = shown(app)
    assert app.text_input(key="embedder_name").value == "intfloat/multilingual-e5-small"
    assert "is not on this machine, and HF_HUB_OFFLINE is set" in page
    assert "hf download intfloat/multilingual-e5-small --local-dir multilingual-e5-small" in page
    assert "type its path" in page
    app = press(app, "embedder_back")
    assert app.selectbox(key="embedder").value == "all-MiniLM-L6-v2"
    assert "What would be built" in shown(app)


def test_a_folder_with_a_multilingual_model_is_used_by_its_path(arabic, tmp_path):
    prompts = {"query": "query: ", "document": "passage: "}
    lexicon = [("museum", "متحف"), ("cairo", "القاهرة")]
    folder = tiny_models.bilingual(tmp_path / "both", lexicon, prompts=prompts)
    app = press(arabic, "use_multilingual")
    app = app.text_input(key="embedder_name").set_value(str(folder)).run()
    page = shown(app)
    assert "use_multilingual" not in {button.key for button in app.button}
    assert "“query: ” before queries and “passage: ” before documents" in page
    app = press(app, "build_it")
    assert "The index is up to date" in shown(app)
    app = app.switch_page("pages/compare/page.py").run()
    assert "Searched by words only" not in shown(app)
    assert app.session_state["mode"] == "hybrid"


def test_a_corpus_that_is_read_gets_no_suggestion_and_the_bilingual_sample_does():
    app = open_app("corpus=help_center", page="corpus")
    assert "use_multilingual" not in {button.key for button in app.button}
    assert "does not read" not in shown(app)
    app = open_app("corpus=bilingual", page="corpus")
    assert "documents are in Arabic, which all-MiniLM-L6-v2 does not read" in shown(app)
    assert "use_multilingual" in {button.key for button in app.button}
    assert "whoever runs it" not in shown(app), "it is one's own server"
