"""The panel Find a document: where one is lost, one that is not there, and documents that are judged."""

from __future__ import annotations

import re

import pytest

from tests.app import open_app, open_tab, press, shown

pytestmark = pytest.mark.usefixtures("ready")


def look(query: str, link: str = ""):
    app = open_app(link)
    app.text_input(key="query").set_value(query).run()
    return open_tab(app, "Find a document")


def test_a_lost_document_says_where_and_what_would_have_to_change():
    app = look("who can see my files", "corpus=help_center&expect=hc-040")
    page = shown(app)
    assert page.count('<li class="qp-verdict">') == 6
    assert "lost at fusion: " in page
    parts = ["qp-verdicts", "Stage by stage", "Its best surface", "What would have to change", "In every list"]
    assert sorted(parts, key=page.index) == parts
    assert re.search(r"Raise k from 5 to \d+: it is there", page)
    lists = next(frame.value for frame in app.dataframe if "lacks" in frame.value.columns)
    assert list(lists["leg"]) == ["dense", "words"]
    assert all(re.fullmatch(r"\d+ of \d+", rank) for rank in lists["rank"])


def test_the_shared_words_are_marked_in_the_best_surface():
    page = shown(look("restore a file from the bin", "corpus=help_center&expect=hc-001"))
    assert {word.casefold() for word in re.findall("<mark>([^<]+)</mark>", page)} >= {"restore", "bin"}


def test_a_filter_that_excludes_it_is_named():
    page = shown(look("who can see my files", "corpus=help_center&expect=hc-040&filter={%22area%22:%22files%22}"))
    assert "The filter excludes it: {&quot;area&quot;: &quot;files&quot;} (it has area" in page
    assert "Search without the filter: it would be at" in page


def test_an_id_that_is_not_there_suggests_the_closest():
    app = look("who can see my files")
    app.text_input(key="expected_part").set_value("hc-O40").run()
    page = shown(app)
    assert "No document of this corpus has the id or title" in page
    assert "Did you mean hc-0" in page
    assert 'class="qp-verdict"' not in page
    app.selectbox(key="expected").select("hc-040").run()
    assert 'class="qp-verdict"' in shown(app)


def test_a_document_of_a_link_that_is_gone_says_so():
    page = shown(look("who can see my files", "corpus=help_center&expect=hc-999"))
    assert "No document of this corpus has the id or title" in page


def test_judged_documents_are_looked_for_without_being_chosen():
    app = open_tab(press(open_app("corpus=help_center"), "example.hc-q075"), "Find a document")
    page = shown(app)
    assert 'class="qp-verdict"' in page
    assert "Nobody has judged this query" not in page


def test_an_expected_document_that_is_not_there_is_said_above():
    app = open_app("corpus=help_center&q=files&t=rewrite&expect=hc-999")
    page = shown(app).split("Side by side", 1)[0]
    assert "no longer exists: the expected document &#x27;hc-999&#x27;" in page


def test_a_tab_draws_only_the_tabs_and_the_expected_document_reaches_the_cards():
    app = open_tab(open_app("corpus=help_center&q=restore+a+file+from+the+bin&t=rewrite"), "Find a document")
    held = app.session_state
    while hasattr(held, "_state"):
        held = held._state
    about = held._new_widget_state.widget_metadata
    reading, expected, hit = (
        next(one.fragment_id for name, one in about.items() if name.endswith(f"-{key}"))
        for key in ("reading", "expected", "open-0-1")
    )
    assert reading
    assert expected == reading
    assert hit is None, "hits are drawn by the whole page"
    app.selectbox(key="expected").select("hc-001").run()
    assert "★ expected</span>" in shown(app)
    assert "hc-001" in app.query_params["expect"]


def test_another_corpus_takes_the_old_question_out_of_the_address():
    app = open_app("corpus=help_center&q=files&t=rewrite")
    assert "files" in app.query_params["q"]
    other = next(name for name in app.selectbox(key="corpus").options if "Help" not in name)
    app.selectbox(key="corpus").select(other).run()
    assert "q" not in app.query_params
    assert app.session_state["corpus"] in app.query_params["corpus"]
    assert app.session_state["corpus"] != "help_center"
