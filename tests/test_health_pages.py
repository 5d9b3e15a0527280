"""The Corpus page below the build: health, browsing, two strategies; and the command."""

from __future__ import annotations

import json

import pytest

from ir_core import build, library
from ir_core.analysis.two_strategies import kept_builds
from ir_core.cli import main
from tests.app import build as build_index
from tests.app import open_app, press, shown

HOSTILE = (
    "# Evil\n\n<img src=http://evil.example/x.png> **bold** $x$ [a](http://evil.example)\n\n" + "filler words " * 60
)


@pytest.fixture
def uploaded(home) -> str:
    corpus = library.add_upload(
        "Mixed",
        [("evil.md", HOSTILE.encode()), ("قاعات.txt", "حجز قاعة اجتماعات في المبنى.".encode()), ("empty.txt", b"")]
        + [(f"n{number}.txt", f"Note {number} about subject {number * 7}.".encode()) for number in range(12)],
    )
    build_index(corpus.info.name)
    return corpus.info.name


def corpus_page(name: str, view: str | None = None):
    app = open_app(page="corpus")
    app.selectbox(key="corpus_shown").set_value(name).run()
    if view:
        app.session_state[f"look.{name}"] = view
        app.run()
    return app


def test_health_is_looked_at_when_asked_and_kept(uploaded):
    app = corpus_page(uploaded)
    assert "Look into the index" in shown(app)
    assert "How long the surfaces are" not in shown(app), "nothing heavy before it is asked for"
    app = press(app, "health_begin")
    page = shown(app)
    assert "How long the surfaces are" in page
    labels = [one.label for one in app.expander]
    assert "Medium · Blank documents: 1" in labels or "High · Blank documents: 1" in labels
    assert any(label.startswith("Not measured: hubs") for label in labels)
    assert "No query can find such a document" in page, "what it does to retrieval"
    again = corpus_page(uploaded)
    assert "health_begin" in [one.key for one in again.button], "the caches were cleared with the app"


def test_before_the_first_build_there_is_nothing_to_look_into(home):
    library.add_upload("New", [("a.txt", b"Some words.")])
    name = next(info.name for info in library.corpora() if info.title == "New")
    assert "Look into the index" not in shown(corpus_page(name))


def test_surfaces_are_browsed_searched_and_never_read_as_markup(uploaded):
    app = corpus_page(uploaded, "Browse")
    page = shown(app)
    assert "1 to 10 of 14 surfaces" in page
    assert "&lt;img src=http://evil.example" in page
    assert "<img" not in page
    app = press(app, "turn.Next")
    assert "11 to 14 of 14 surfaces" in shown(app)
    app.text_input(key=f"browse.{uploaded}.text").set_value("قاعة").run()
    page = shown(app)
    assert "1 surface; the index has 14" in page
    assert 'class="qp-text" dir="auto">حجز' in page, "it reads from the right by itself"
    app.text_input(key=f"browse.{uploaded}.text").set_value("nowhere at all").run()
    assert "No surface meets all of these conditions" in shown(app)
    app = press(app, "browse_clear")
    assert app.text_input(key=f"browse.{uploaded}.text").value == ""
    assert "1 to 10 of 14 surfaces" in shown(app)


def test_a_long_surface_is_cut_and_can_be_read_whole(uploaded):
    app = corpus_page(uploaded, "Browse")
    app.text_input(key=f"browse.{uploaded}.document").set_value("evil").run()
    (button,) = [one for one in app.button if one.label.startswith("Read all")]
    before = shown(app).count("filler words")
    assert before < 60 + 30, "the preview above, and the beginning"
    whole = shown(button.click().run())
    assert "What is known about it" in whole
    assert whole.count("filler words") == before + 60
    assert "<img" not in whole


def test_a_finding_leads_to_its_surfaces(uploaded):
    copies = [(f"c{number}.txt", b"The very same words in every file of these.") for number in range(3)]
    name = library.add_upload("Copies", [*copies, ("d.txt", b"Something else altogether.")]).info.name
    build_index(name)
    app = press(corpus_page(name), "health_begin")
    app = press(app, "finding_browse.exact_duplicates")
    assert app.selectbox(key=f"browse.{name}.finding").value == "exact_duplicates"
    assert "3 surfaces; the index has 4" in shown(app)


def test_a_second_strategy_stands_beside_the_one_in_use_until_it_is_chosen(uploaded):
    before = build.current(uploaded).manifest.fingerprint
    app = corpus_page(uploaded, "Two strategies")
    app.number_input(key=f"beside_strategy.{uploaded}.Chunked.max_tokens").set_value(40)
    app = press(app.run(), "beside_build")
    page = shown(app)
    assert "texts are in both, word for word" in page
    assert build.current(uploaded).manifest.fingerprint == before, "the one in use stays"
    app.text_input(key=f"beside_text.{uploaded}").set_value("subject of note 3")
    app = press(app, "beside_search")
    assert "of the first 10 are in both lists" in shown(app)
    press(app, "beside_use")
    assert build.current(uploaded).manifest.strategy["name"] == "Chunked"
    assert {made.fingerprint for made in kept_builds(uploaded)} > {before}, "and the other one is still there"


def test_the_command_tells_the_same(built, ready, capsys):
    assert main(["health", "--corpus", "help_center"]) == 0
    assert "ok Blank documents, PDFs without text" in capsys.readouterr().out
    assert main(["health", "--corpus", "help_center", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {one["status"] for one in told["findings"]} == {"clear"}
    assert told["n_surfaces"] == 74
    assert told["lengths"]["limit"] is None
