"""Scenes that people save: the question in the form, and whole query sets."""

from __future__ import annotations

import json

import pytest

from ir_core import library
from tests.app import open_app, press, shown
from tests.test_pages_scenes import LISTED, N_SAMPLES, ready  # noqa: F401  (a fixture)


@pytest.mark.usefixtures("ready")
def test_a_question_is_saved_taken_again_and_deleted_without_key_or_server(built):
    app = open_app("corpus=help_center&q=hello+there&writer=openai/some-model&t=rewrite&k=4&expect=hc-001")
    app.text_input(key="api_key").set_value("sk-typed-for-this-visit-0002")
    app.text_input(key="base_url").set_value("http://127.0.0.1:9/v1").run()
    app = press(app, "scene_save")
    assert "A scene needs a title" in shown(app)
    app.text_input(key="scene_title").set_value("Mine <b>bold</b>")
    app.text_area(key="scene_note").set_value("Look at the first hit.").run()
    app = press(app, "scene_save")
    [kept] = library.own_scenes()
    assert (kept.query, kept.k, kept.writer, kept.looked_for) == ("hello there", 4, "openai/some-model", "hc-001")
    assert [name for name, _ in kept.transforms] == ["rewrite"]
    stored = next((built / "scenes").iterdir()).read_text()
    assert "sk-typed" not in stored
    assert "127.0.0.1" not in stored
    assert "Saved scenes: 1" in [box.label for box in app.expander]
    again = open_app(f"scene={kept.id}")
    assert "waiting: pressing Compare asks openai/some-model" in shown(again)
    assert again.text_input(key="query").value == "hello there"
    assert "Scene: Mine &lt;b&gt;bold&lt;/b&gt;" not in shown(again), "nothing is asked yet"
    again.session_state["saved_scenes"] = True
    again = press(again.run(), f"scene-drop-{kept.id}")
    assert library.own_scenes() == []
    assert "Saved scenes: none yet" in [box.label for box in again.expander]


@pytest.mark.usefixtures("ready")
def test_the_way_goes_from_the_samples_to_saved_scenes_and_back_to_the_first():
    scene = library.Scene("", "<i>Mine</i>", "help_center", "who can see my files", note="Look <b>here</b>.")
    kept = library.save_scene(scene)
    app = open_app(f"scene={kept.id}")
    page = shown(app)
    assert "Scene: &lt;i&gt;Mine&lt;/i&gt;" in page
    assert "Look &lt;b&gt;here&lt;/b&gt;." in page
    assert f"Scene {N_SAMPLES + 1} of {N_SAMPLES + 1}" in page
    assert LISTED[0].sentences in shown(press(app, "scene_next"))


@pytest.mark.usefixtures("ready")
def test_the_corpus_own_query_set_becomes_scenes_at_one_press():
    app = press(open_app(), "scene_save_set")
    assert len(library.own_scenes("help_center")) == 50
    assert "Saved 50 scenes. 73 queries beyond the first 50 left out." in shown(app)


@pytest.mark.usefixtures("ready")
def test_an_uploaded_query_set_is_read_and_a_bad_one_is_a_sentence():
    app = open_app()
    lines = [json.dumps({"_id": "hc-q026", "text": "receipt please"}), json.dumps({"_id": "mine", "text": "other"})]
    uploader = next(item for item in app.file_uploader if item.key == "scene_queries")
    uploader.upload("queries.jsonl", "\n".join(lines).encode(), "application/jsonl").run()
    app = press(app, "scene_save_set")
    assert [(one.query, one.looked_for) for one in library.own_scenes()] == [
        ("receipt please", "hc-037"),
        ("other", None),
    ]
    uploader = next(item for item in app.file_uploader if item.key == "scene_queries")
    uploader.upload("queries.jsonl", b'{"text": 1', "application/jsonl").run()
    app = press(app, "scene_save_set")
    assert "queries.jsonl, line 1, is not a query" in shown(app)
