"""Scenes on the Compare page, and rankings that wait for a guess."""

from __future__ import annotations

import re

import pytest

from ir_core import library
from ir_core.analysis.guessing import NONE, answer
from pages.compare import scenes
from pages.compare.predicting import sentence
from tests.app import open_app, press, shown
from tests.made_results import result

SCENES = library.scenes("help_center")
FIRST = SCENES[0]
LISTED = scenes._samples()
"""As the list has them, which "Next scene" goes down."""
AFTER = LISTED[LISTED.index(FIRST) + 1]
N_SAMPLES = len(LISTED)


@pytest.fixture
def ready(ready):
    yield
    for scene in library.own_scenes():
        library.delete_scene(scene.id)


def hits(app) -> list[str]:
    return re.findall(r'qp-hittitle" dir="auto">(?:<[^>]+>[^<]+</span> )?([^<]+)', shown(app))


def plain(label: str) -> str:
    """Without the marks that keep it from being read as Markdown."""
    return label.replace("\\", "")


@pytest.mark.usefixtures("ready")
def test_a_click_fills_in_everything_asks_and_says_what_there_is_to_see():
    app = open_app()
    app.session_state["t.multi_query.n"] = 7
    labels = [plain(button.label) for button in app.button if (button.key or "").startswith("scene-")]
    assert "▲ wins: Two everyday words" in labels
    assert len(labels) == N_SAMPLES
    app = press(app, f"scene-{FIRST.id}")
    page = shown(app)
    assert app.text_input(key="query").value == FIRST.query
    assert "6 of 6 finished" in page
    assert app.session_state["t.multi_query.n"] == 3, "the scene's own setting"
    assert app.session_state["expected"] == FIRST.looked_for
    assert FIRST.sentences in page
    assert FIRST.reference in page
    assert page.index(FIRST.reference) < page.index("qp-hittitle")
    assert "▲ Rewrite wins. Measured here, for the looked-for document: Original below the first 5, Rewrite" in page
    assert app.query_params["scene"] == FIRST.id
    app = press(app, "scene_next")
    assert AFTER.sentences in shown(app)
    assert app.text_input(key="query").value == AFTER.query
    app.text_input(key="query").set_value("something else").run()
    app = press(app, "compare")
    assert "Scene: " not in shown(app)
    assert "scene" not in app.query_params


@pytest.mark.usefixtures("ready")
def test_a_link_may_name_a_scene_and_one_that_is_gone_is_a_sentence():
    assert f"Scene {LISTED.index(FIRST) + 1} of {N_SAMPLES}" in (page := shown(open_app(f"scene={FIRST.id}")))
    assert FIRST.sentences in page
    assert "6 of 6 finished" in page
    page = shown(open_app(f"corpus=help_center&q=no+space&t=rewrite&k=2&scene={FIRST.id}"))
    assert FIRST.sentences in page
    assert "Here it came out otherwise than the scene says" not in page, "its columns were taken out"
    names = "".join(f"&t={name}" for name, _ in FIRST.transforms)
    other = shown(open_app(f"corpus=help_center&q=no+space&mode=lexical{names}&k=2&scene={FIRST.id}"))
    assert (
        "Here it came out otherwise than the scene says. The looked-for document: Original below the first 2" in other
    )
    app = open_app("corpus=help_center&q=hello+there&scene=own-000000000000")
    assert "no longer exists: a scene &#x27;own-000000000000&#x27;" in shown(app)
    assert app.text_input(key="query").value == "hello there"


@pytest.mark.usefixtures("ready")
def test_a_scene_of_a_conversation_brings_its_history_and_the_next_one_takes_it_away():
    scene = next(one for one in SCENES if one.history)
    app = open_app(f"scene={scene.id}")
    assert [app.session_state[f"turn.{i}.text"] for i in range(2)] == [turn["content"] for turn in scene.history]
    assert scene.sentences in shown(app)
    app = press(app, f"scene-{FIRST.id}")
    assert app.session_state["turns"] == 0


@pytest.mark.usefixtures("ready")
def test_a_scene_of_a_corpus_without_an_index_asks_once_it_is_built():
    app = press(open_app("corpus=help_center"), "scene-pr-acronym")
    assert "Procurement rules has no index yet" in shown(app)
    app = press(app, "build_now")
    assert "7 of 7 finished" in shown(app)
    assert "Scene: A bare acronym" in shown(app)


@pytest.mark.usefixtures("ready")
def test_rankings_wait_for_a_guess_and_are_nowhere_in_the_page_before():
    app = open_app()
    app.toggle(key="predict_first").set_value(True).run()
    assert "Two everyday words" in [plain(button.label) for button in app.button], "the outcome is not said"
    app = press(app, f"scene-{FIRST.id}")
    hidden, held = (
        shown(app),
        [str(item.proto) for kind in ("plotly_chart", "arrow_data_frame") for item in app.get(kind)],
    )
    assert "6 of 6 finished" in hidden
    assert hits(app) == []
    assert held == []
    assert FIRST.sentences not in hidden
    assert "Storage full: what to do" in re.sub("<[^>]+>", "", hidden), "texts stay visible"
    assert "The instruments wait for your guess" in hidden
    assert app.button(key="reveal").disabled
    [question] = [item for item in app.pills if (item.key or "").startswith("guess-")]
    assert "looked-for document highest" in question.label
    question.set_value("hyde").run()
    app = press(app, "reveal")
    page = shown(app)
    titles = set(hits(app))
    assert len(titles) > 5
    assert [title for title in titles if title in hidden] == []
    assert FIRST.sentences in page
    assert re.search(r"(Right|Not so): you said HyDE\. ", page)
    assert re.search(r"[01] of 1 right so far", page)
    assert "The instruments wait" not in page
    app = press(app, "scene_next")
    assert hits(app) == [], "the next one waits again"
    assert "of 1 right so far" in shown(app)


@pytest.mark.usefixtures("ready")
@pytest.mark.parametrize(
    "names", ["multi_query hyde keywords step_back", "grounded sequential rm3 rocchio query2doc"]
)
def test_texts_that_quote_the_first_hits_wait_with_them_and_lists_of_words_do_not(names):
    query = "which+events+fail+with+WH-503+after+our+box+was+rebooted"  # one that may have a second hop
    ask = f"corpus=help_center&q={query}" + "".join(f"&t={name}" for name in names.split())
    link = open_app(ask)
    titles, snippets = set(hits(link)), re.findall(r'qp-snippet" dir="auto">([^<]{25})', shown(link))
    link.toggle(key="predict_first").set_value(True).run()
    hidden = shown(link)
    assert len(titles) > 5
    assert [said for said in (*titles, *snippets) if said in hidden] == []
    assert "Its text quotes the first hits" in hidden
    if "multi_query" in names:
        assert "variant 1" in hidden


@pytest.mark.usefixtures("ready")
def test_without_a_document_to_look_for_the_guess_is_what_moves_most():
    app = open_app("corpus=help_center&q=who+can+see+my+files&t=multi_query&t=step_back")
    assert len(hits(app)) == 15
    app.toggle(key="predict_first").set_value(True).run()
    assert hits(app) == []
    [question] = [item for item in app.pills if (item.key or "").startswith("guess-")]
    assert "moves the ranking most" in question.label
    question.set_value(NONE).run()
    app = press(app, "reveal")
    assert len(hits(app)) == 15
    assert "you said none" in shown(app)


def test_who_is_right_goes_by_measured_ranks():
    def ranked(name: str, *ids: str):
        return result(list(ids), transform=name)

    found = [ranked("identity", "a", "b", "c"), ranked("hyde", "b", "a", "c"), ranked("rewrite", "b", "c", "a")]
    by_rank = answer(found, {"b"})
    assert by_rank.best == ("hyde", "rewrite")
    assert sentence(by_rank, 3) == "HyDE and Rewrite have it at rank 1, the original at rank 2."
    none = answer(found, {"a"})
    assert none.is_right(NONE)
    assert not none.is_right("hyde")
    assert sentence(none, 3) == "None is better than the original, which has it at rank 1."
    gone = answer(found, {"x"})
    assert gone.best == ()
    assert sentence(gone, 3) == "None is better than the original, which has it below the first 3."
    moved = answer(found, set())
    assert dict(moved.values) == {"identity": 0, "hyde": 2, "rewrite": 3}
    assert moved.best == ("rewrite",)
    assert answer(found[:1], set()).best == ()
