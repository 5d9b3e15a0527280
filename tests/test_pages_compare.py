"""Compare, in every state it can be in."""

from __future__ import annotations

import re
import threading

import pytest

from ir_core import library
from pages._ui import resources
from tests.app import open_app, open_tab, press, shown


def ask(query: str, link: str = ""):
    app = open_app(link)
    app.text_input(key="query").set_value(query).run()
    return app


def titles(app) -> list[str]:
    return re.findall(r'<span class="qp-no">\d</span><span dir="auto" title="[^"]*">([^<]+)', shown(app))


def test_without_an_index_it_says_so_and_builds_on_a_click():
    app = open_app()
    assert "Help centre has no index yet" in shown(app)
    app = press(app, "build_now")
    assert [toast.value for toast in app.toast] == ["The index is built\\."]
    assert "Nothing is typed yet" in shown(app)


def test_without_a_corpus_it_says_so(monkeypatch):
    monkeypatch.setattr(library, "corpora", list)
    assert "There is no corpus yet" in shown(open_app())


@pytest.mark.usefixtures("ready")
def test_a_query_gives_six_cards_with_their_queries_hits_and_figures():
    app = ask("who can see my files")
    page = shown(app)
    assert "6 of 6 finished" in page
    feedback = "Feedback passages (Rocchio), in place of HyDE"
    assert titles(app) == ["Original", "Rewrite", "Multi-query", feedback, "Decomposition", "Step-back"]
    assert page.count("<dt>time</dt>") == page.count("<dt>cost</dt>") == page.count("<dt>tokens</dt>") == 6
    assert page.count('class="qp-hit"') == 30
    assert page.count("no LLM</span>") == 5
    assert "baseline" in page
    assert page.count('<h3 class="qp-title">') == 6
    assert page.index("<h1") < page.index("<h3")
    assert "≈ 5 texts to write, $0" in page


@pytest.mark.usefixtures("ready")
def test_a_samples_own_query_shows_its_authored_examples_and_says_so():
    app = ask("restore a file I deleted yesterday")
    page = shown(app)
    assert page.count("authored example, not a model&#x27;s</span>") == 5
    assert "no LLM</span>" not in page
    assert titles(app)[3] == "HyDE"
    assert "Hypothetical, not from the corpus" in page
    assert page.count("<summary>What was said and sent</summary>") == 5
    assert page.count("<summary>What was sent</summary>") == 1


@pytest.mark.usefixtures("ready")
def test_a_hit_opens_its_whole_passage():
    app = press(ask("restore a file from the bin"), "open-0-1")
    page = shown(app)
    assert 'class="qp-passage"' in page
    assert "The shares add up to the fused score" in page
    assert "<dt dir='auto'>area</dt>" in page


@pytest.mark.usefixtures("ready")
def test_a_link_gives_the_same_ranking_in_another_visit():
    first = open_app("corpus=help_center&q=who+can+see+my+files&k=3&mode=dense&t=rewrite&t=multi_query:{%22n%22:2}")
    assert titles(first) == ["Original", "Rewrite", "Multi-query"]
    open_tab(first, "Share and export")
    link = next(item.value for item in first.code if "corpus=help_center" in item.value)
    second = open_app(link.split("?", 1)[1])
    hits = [re.findall(r'qp-hittitle" dir="auto">([^<]+)', shown(app)) for app in (first, second)]
    assert len(hits[0]) == 9
    assert hits[0] == hits[1]


@pytest.mark.usefixtures("ready")
def test_history_is_in_the_link_only_when_ticked():
    app = press(open_app("corpus=help_center"), "example.hc-q104")
    assert app.session_state["turns"] >= 2
    assert "last turn only" in shown(app)
    assert "saw the history" in shown(app), "what joins the turns did"
    assert "history" not in app.query_params
    open_tab(app, "Share and export")
    app.checkbox(key="share_history").check().run()
    assert "history" in app.query_params


@pytest.mark.usefixtures("ready")
def test_the_expected_document_is_marked_and_found_everywhere():
    app = open_tab(ask("restore a file from the bin"), "Find a document")
    assert "Nobody has judged this query" in shown(app)
    app.selectbox(key="expected").select("hc-001").run()
    page = shown(app)
    assert page.count("★ expected</span>") >= 1
    assert page.count('<li class="qp-verdict">') == page.count("found at 1</span>") == 6
    table = next(frame.value for frame in app.dataframe if "stage" in frame.value.columns)
    assert list(table["stage"]) == ["loaded", "indexed", "dense", "words", "fusion", "first 5"]
    assert len(table.columns) == 7


@pytest.mark.usefixtures("ready")
def test_a_judged_query_marks_its_relevant_documents():
    app = press(open_app("corpus=help_center"), "example.hc-q075")
    assert "judged relevant</span>" in shown(app)


@pytest.mark.usefixtures("ready")
def test_a_new_question_stops_the_one_before():
    app = ask("who can see my files")
    first = resources.runs().get(app.session_state["run"])
    app.text_input(key="query").set_value("restore a deleted file").run()
    assert isinstance(first.cancel, threading.Event)
    assert first.cancel.is_set()
    assert app.session_state["run"] != first.id


@pytest.mark.usefixtures("ready")
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda app: app.session_state.__setitem__("mode", "dense"), "the retrieval mode (was hybrid)"),
        (lambda app: app.number_input(key="k").set_value(3), "k (was 5)"),
        (lambda app: app.text_area(key="filter_json").set_value('{"area": "files"}'), "the filter (was none)"),
        (lambda app: app.session_state.__setitem__("transforms", ["rewrite"]), "Multi-query taken out"),
        (lambda app: app.number_input(key="t.multi_query.n").set_value(5), "the settings of Multi-query"),
        (lambda app: app.radio(key="writer").set_value("model"), "the writer (was corpus (no LLM))"),
        (lambda app: app.button(key="turn_more").click(), None),
    ],
    ids=["mode", "k", "filter", "transforms", "settings", "writer", "blank turn"],
)
def test_cards_of_other_settings_say_what_changed(change, said):
    """``said`` is None where nothing that is asked has changed."""
    app = ask("restore a file from the bin", "t=rewrite&t=multi_query")
    assert "These cards answer" not in shown(app)
    app.session_state["mode_by_hand"] = True
    change(app)
    page = shown(app.run())
    assert ("These cards answer: restore a file" in page) == (said is not None)
    assert (said or "") in page


@pytest.mark.usefixtures("ready")
def test_a_blank_box_after_a_comparison_says_that_it_is_empty_and_keeps_the_cards():
    app = ask("restore a file from the bin")
    app.text_input(key="query").set_value("").run()
    page = shown(press(app, "compare"))
    assert "The query is empty. Type what you would ask" in page
    assert "Press Compare" not in page
    assert page.count('<h3 class="qp-title">') == 6


@pytest.mark.usefixtures("ready")
@pytest.mark.parametrize("k", [0, 101])
def test_a_k_out_of_range_is_said_and_nothing_is_searched_with_another(k):
    app = ask("restore a file from the bin")
    before = app.session_state["run"]
    app.number_input(key="k").set_value(k).run()
    page = shown(press(app, "compare"))
    assert "1 to 100 places" in page
    assert "Nothing is searched until k is mended" in page
    assert app.session_state["run"] == before


@pytest.mark.usefixtures("ready")
def test_a_corpus_that_was_deleted_elsewhere_is_not_replaced_by_another(monkeypatch):
    app = ask("restore a file from the bin")
    others = [info for info in library.corpora() if info.name != "help_center"]
    monkeypatch.setattr(library, "corpora", lambda: others)
    resources.forget_corpora()
    gone = "The corpus <bdi>“Help centre”</bdi> no longer exists. Choose another."
    for _ in range(2):
        page = shown(app.run())
        assert gone in page
        assert 'class="qp-hit"' not in page
    assert app.selectbox(key="corpus").value is None
    app.switch_page("pages/corpus/page.py").run()
    assert gone in shown(app)
    assert "What would be built" not in shown(app)
    app.selectbox(key="corpus_shown").set_value(others[0].name).run()
    assert "no longer exists" not in shown(app)


@pytest.mark.usefixtures("ready")
def test_unknown_kinds_in_a_link_are_named_and_nothing_runs_by_itself():
    app = open_app("corpus=help_center&q=bin&kinds=document,nope")
    page = shown(app)
    assert "no longer exists: There is no kind of surface named &#x27;nope&#x27;" in page
    assert 'class="qp-hit"' not in page
    assert 'class="qp-hit"' in shown(press(app, "compare"))


@pytest.mark.usefixtures("ready")
def test_when_every_transform_fell_back_it_is_not_said_that_nothing_moved(llm_server):
    llm_server.queue("401")
    app = open_app("corpus=help_center&q=hello+there&writer=openai/test-model&t=rewrite")
    app.text_input(key="api_key").set_value("sk-wrong-key-000000")
    app.text_input(key="base_url").set_value(llm_server.base_url)
    page = shown(press(app, "compare"))
    assert "Every transform fell back" in page
    assert "Nothing moved" not in page


@pytest.mark.usefixtures("ready")
def test_what_did_not_finish_says_that_it_was_stopped():
    app = ask("restore a file from the bin")
    job = resources.runs().get(app.session_state["run"])
    job.events[:] = [event for event in job.events if event.slot < 2]
    job.stopped = "by hand"
    page = shown(app.run())
    assert "2 of 6 finished · stopped" in page
    assert page.count(">stopped</p>") == 4
    assert "You stopped this comparison" in page
    job.stopped = "left"
    assert "stopped or left for 30 s" in shown(app.run())
