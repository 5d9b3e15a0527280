"""A result that is kept, taken away as a bundle, and opened where its corpus is not."""

from __future__ import annotations

import re

import pytest

from ir_core.export import from_bundle, run_store, to_bundle
from pages._ui import resources
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


@pytest.mark.parametrize("name", ["0123456789abcdef", "../../x", "<b>x</b>"])
def test_an_id_that_is_not_kept_says_so(name):
    page = shown(open_app(f"run={name}"))
    assert "frozen result" in page
    assert "Problem" in page
    assert "<b>x" not in page


def test_all_files_are_offered(frozen):
    app, _ = frozen
    labels = [item.proto.label for item in app.get("download_button")]
    assert [name for name in ("CSV", "JSON", "TREC runs", "HTML", "Bundle", "Python") if name not in labels] == []
