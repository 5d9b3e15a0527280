"""Compare, asked for what is not there."""

from __future__ import annotations

import re

import pytest

from ir_core import library
from tests.app import open_app, press, shown
from tests.test_pages_compare import ask


@pytest.mark.usefixtures("ready")
def test_a_filter_on_an_unknown_field_names_the_known_ones_and_searches_nothing():
    app = ask("files", "corpus=help_center")
    app.text_area(key="filter_json").set_value('{"colour": "red"}').run()
    app = press(app, "compare")
    page = shown(app)
    assert "colour" in page
    assert "area" in page
    assert "Nothing is searched until the filter is mended" in page
    app.text_area(key="filter_json").set_value('{"area": "files"}').run()
    areas = set(re.findall(r"qp-hittitle", shown(press(app, "compare"))))
    assert areas


@pytest.mark.usefixtures("ready")
def test_a_filter_that_nothing_passes_says_so_on_the_cards():
    page = shown(open_app("corpus=help_center&q=files&filter={%22area%22:%22nowhere%22}"))
    assert "no surface passes the filter" in page
    assert "No transform found anything" in page


@pytest.mark.usefixtures("ready")
def test_words_that_no_document_holds_give_a_reason_in_lexical_mode():
    page = shown(open_app("corpus=help_center&q=qqqzzz&mode=lexical&t=decompose"))
    assert "no surface holds a word of this query" in page


@pytest.mark.usefixtures("ready")
def test_nothing_moved_is_said():
    page = shown(open_app("corpus=help_center&q=bin&t=decompose"))
    assert "Nothing moved: every transform ranks the same documents" in page


@pytest.mark.usefixtures("ready")
@pytest.mark.parametrize("query", ["   ", ""])
def test_an_empty_query_asks_for_one(query):
    app = ask(query)
    assert "Nothing is typed yet" in shown(press(app, "compare"))


@pytest.mark.usefixtures("ready")
@pytest.mark.parametrize(
    ("query", "said"),
    [("x " * 5_000, "only the first 1,999 are searched"), ("😀 🎉", "6 of 6"), ("the of and", "6 of 6")],
)
def test_odd_queries_are_answered(query, said):
    assert said in shown(ask(query))


@pytest.mark.usefixtures("ready")
def test_a_link_to_what_no_longer_exists_is_kept_as_far_as_it_goes():
    page = shown(open_app("corpus=gone&q=bin&t=rewrite&t=nope&index=0000"))
    assert page.count("no longer exists") == 2
    assert "another build of this corpus" in page
    assert "Press Compare to see this query" in page


def test_a_link_opens_a_corpus_that_was_added_elsewhere_a_moment_ago():
    app = open_app()
    added = library.add_upload("Zebra papers", [("zebra.txt", b"The zebra lives behind the shed.")]).name
    app.query_params["corpus"] = added
    app.run()
    assert app.session_state["corpus"] == added
    assert "no longer exists" not in shown(app)
