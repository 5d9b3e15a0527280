"""What is asked: transforms in groups, the user's own text, a chain's steps, a follow-up with and without history."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest

from ir_core.config import MAX_TRANSFORMS
from ir_core.transforms import TRANSFORMS
from pages.compare import picking
from tests.app import open_app, press, shown

pytestmark = pytest.mark.usefixtures("ready")


def columns(app) -> list[str]:
    return re.findall(r'<span class="qp-no">\d</span><span dir="auto" title="[^"]*">([^<]+)', shown(app))


def test_every_transform_stands_in_one_group_and_the_usual_ones_come_first():
    found = picking.groups()
    names = [name for members in found.values() for name in members]
    assert sorted(names) == sorted(set(TRANSFORMS.names()) - {"identity"})
    assert next(iter(found)) == picking.USUAL


def test_a_transform_of_another_group_is_added_to_what_is_chosen():
    app = open_app("corpus=help_center&t=rewrite")
    app.button_group(key="pick.Words of the first hits").set_value(["rm3"]).run()
    assert app.session_state["transforms"] == ["rewrite", "rm3"]
    app.button_group(key="pick.usual").set_value([]).run()
    assert app.session_state["transforms"] == ["rm3"]
    app.text_input(key="query").set_value("restore a deleted file").run()
    assert columns(app) == ["Original", "RM3"]
    assert 'class="qp-bag"' in shown(app)
    assert "Added in BM25" in shown(app)


def test_a_follow_up_stands_without_with_and_condensed_side_by_side():
    app = press(open_app("corpus=help_center"), "example.hc-q104")
    page = shown(app)
    assert columns(app)[:3] == ["Original", "Joined turns", "Condense"]
    assert len(columns(app)) == MAX_TRANSFORMS
    assert "How can I edit documents on my phone when I have no connection?" in re.sub("<[^>]+>", "", page)
    assert "last turn only" in page
    assert page.count("saw the history") >= 2


def test_without_authored_texts_the_corpus_writer_says_what_it_made_of_the_history():
    app = open_app(
        "corpus=help_center&q=how+long+for+it&t=condense&t=rewrite"
        '&history=[{"role":"user","content":"Who can see the audit log?"}]'
    )
    page = shown(app)
    assert columns(app) == ["Original", "Joined turns", "Carried-over words, in place of condense", "Rewrite"]
    saw = re.findall(r"saw the history|last turn only", page)
    assert saw == ["last turn only", "saw the history", "saw the history", "last turn only"]


def test_small_talk_is_not_searched_and_loses_nothing():
    page = shown(open_app("corpus=help_center&q=thanks!&t=condense"))
    assert "skipped</span>" in page
    assert "Not searched: It is small talk" in page
    assert page.count('class="qp-hit"') == 5, "the original's"
    assert 'class="qp-gone"' not in page


def test_what_a_person_typed_is_searched_and_travels_in_the_link():
    app = open_app("corpus=help_center&q=bin&t=you")
    assert "Type the query you would ask in its place." in shown(app)
    app.radio(key="t.you.kind").set_value("variants").run()
    app.text_area(key="t.you.text").set_value("restore a deleted file\nhow long does the trash keep things").run()
    page = shown(app)
    assert columns(app) == ["Original", "Yours: variants"]
    assert "how long does the trash keep things" in re.sub("<[^>]+>", "", page)
    again = open_app(urlencode(dict(app.query_params), doseq=True))
    assert columns(again) == columns(app)
    assert again.text_area(key="t.you.text").value.splitlines()[1] == "how long does the trash keep things"


def test_a_chain_that_cannot_be_read_says_so_and_nothing_is_searched():
    app = open_app("corpus=help_center&t=chain&t=rewrite")
    app.text_input(key="t.chain.steps").set_value("rewrite > nope").run()
    app.text_input(key="query").set_value("restore a deleted file").run()
    page = shown(app)
    assert "Step 2 of the chain: There is no transform named" in page
    assert 'class="qp-hit"' not in page
    app.selectbox(key="chain_more").set_value("step_back").run()
    assert app.text_input(key="t.chain.steps").value == "rewrite > nope > step_back"
    app.text_input(key="t.chain.steps").set_value("rewrite > step_back").run()
    assert "Chain: Rewrite → Step-back" in columns(press(app, "compare"))


def test_what_is_said_of_the_room_counts_the_joined_turns():
    app = press(open_app("corpus=help_center"), "example.hc-q104")
    assert len(columns(app)) == MAX_TRANSFORMS
    assert f"All {MAX_TRANSFORMS} columns are taken. One more takes the place of Joined turns" in shown(app)


def test_a_form_that_cannot_be_asked_does_not_say_to_press_compare():
    app = open_app("corpus=help_center&q=files")
    app.session_state["transforms"] = [name for name in TRANSFORMS.names() if name != "identity"][:9]
    app.session_state["run"] = None
    page = shown(app.run())
    assert "Nothing is searched until what stands above is mended" in page
    assert "Press Compare to see" not in page
