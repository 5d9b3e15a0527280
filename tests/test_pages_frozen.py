"""A result that is kept, taken away as a bundle, and opened where its corpus is not."""

from __future__ import annotations

import re

import pytest

from ir_core.export import from_bundle, run_store, to_bundle, to_html
from pages._ui import export, resources
from tests.app import build, open_app, open_tab, press, shown

QUERY = "who can see my files"


def titles(page: str) -> list[str]:
    return re.findall(r'<span class="qp-hittitle" dir="auto">(.*?)</span>', page)


@pytest.fixture
def frozen():
    """The visit that froze, and the id."""
    build("help_center")
    app = open_app("corpus=help_center&k=4&t=rewrite&t=multi_query")
    app.text_input(key="query").set_value(QUERY).run()
    open_tab(app, "Share and export")
    press(app, "freeze")
    link = next(item.value for item in app.code if "?run=" in item.value)
    return app, link.split("?run=")[1]


def test_a_frozen_result_shows_the_same_and_asks_nobody(frozen):
    app, name = frozen
    before = titles(shown(app))
    other = open_app(f"run={name}")
    page = shown(other)
    assert "A frozen result of" in page
    assert titles(page) == before
    assert len(before) == 12
    assert resources.runs().get(other.session_state["run"]) is None
    press(other, "ask_again")
    assert "3 of 3 finished" in shown(other)
    assert titles(shown(other)) == before
    assert "run" not in other.query_params


def test_it_opens_where_its_corpus_is_not(frozen, monkeypatch, tmp_path):
    _, name = frozen
    data = to_bundle(run_store().get(name))
    monkeypatch.setenv("QUERY_PRISM_HOME", str(tmp_path / "elsewhere"))
    there = run_store().put(from_bundle(data))
    assert there == name, "the same content has the same id everywhere"
    page = shown(open_app(f"run={there}"))
    assert len(titles(page)) == 12
    assert "has another index now" in page


@pytest.mark.parametrize("name", ["0123456789abcdef", "20261130-101500-0a1b2c3d", "../../x", "<b>x</b>"])
def test_an_id_that_is_not_kept_says_so(name):
    page = shown(open_app(f"run={name}"))
    assert "is not kept here" in page or "This link is not of a frozen result" in page
    assert "Problem" in page
    assert "<b>x" not in page


def test_all_files_are_offered(frozen):
    app, _ = frozen
    labels = [item.proto.label for item in app.get("download_button")]
    assert [name for name in ("CSV", "JSON", "TREC runs", "HTML", "Bundle", "Python") if name not in labels] == []


def test_asking_again_brings_back_the_writer_and_asks_no_model(frozen):
    _, name = frozen
    other = open_app(f"run={name}")
    other.session_state["writer"], other.session_state["model"] = "model", "openai/test-model"
    other.session_state["expected"] = "hc-001"
    press(other, "ask_again")
    assert other.session_state["writer"] == "corpus"
    assert other.session_state["expected"] is None, "none was looked for then"
    assert resources.runs().get(other.session_state["run"]).asked.asked.writer.name == "corpus"


def test_a_link_that_names_no_writer_waits_where_a_model_is_chosen(frozen):
    app, _ = frozen
    before = app.session_state["run"]
    app.session_state["writer"], app.session_state["model"] = "model", "openai/test-model"
    app.query_params["q"] = "another question"
    del app.query_params["writer"]
    app.run()
    assert app.text_input(key="query").value == "another question"
    assert resources.runs().get(app.session_state["run"]) is None
    assert before
    assert "waiting: pressing Compare asks openai/test-model" in shown(app)


@pytest.mark.parametrize("agreed", [False, True])
def test_the_conversation_leaves_only_where_a_person_agreed(agreed):
    build("help_center")
    app = press(open_app("corpus=help_center"), "example.hc-q104")
    turns = [turn["content"] for turn in resources.runs().get(app.session_state["run"]).asked.asked.history]
    open_tab(app, "Share and export")
    if agreed:
        app.checkbox(key="share_history").check().run()
    press(app, "freeze")
    name = next(item.value for item in app.code if "?run=" in item.value).split("?run=")[1]
    made = run_store().get(name)
    files = [to_html(made), repr(made), str(export.to_json(made.query, made.config, made.results), "utf-8")]
    files.append(str(export.to_csv(made.results), "utf-8"))
    assert [any(turn in text for text in files) for turn in turns] == [agreed] * len(turns)
    assert ("joined_turns" in made.names) == agreed
    assert ("(2 turns) is not in it" in shown(app)) == (not agreed)
    page = shown(open_app(f"run={name}"))
    assert "saw the history" in page
    assert ("The conversation before the query (2 turns) was left out" in page) == (not agreed)


def test_the_exported_page_is_one_landmark_and_breaks_a_word_of_any_length(frozen):
    page = to_html(run_store().get(frozen[1]))
    assert page.count("<main>") == page.count("</main></body>") == 1
    assert "overflow-wrap: anywhere" in page.split("body {")[1].split("}")[0]


def test_a_frozen_page_skips_no_level_of_heading(frozen):
    found = re.findall(r"<h(\d)", shown(open_app(f"run={frozen[1]}")))
    assert found[:3] == ["1", "2", "3"]
