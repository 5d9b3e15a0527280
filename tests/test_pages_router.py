"""The Router page without a browser, on an index that is really built."""

from __future__ import annotations

import csv

import pytest

from ir_core import build as builds
from ir_core import library
from ir_core.retrieval import Engine, SearchSettings
from ir_core.router import DECIDERS, LABELS, TITLES, from_line, get_table, own_labels, own_tables, route
from ir_core.writers import open_writer
from pages._ui import safe
from pages.router import many_board, many_reading
from tests.app import build, open_app, press, shown

CORPUS = "help_center"
QUERY = "compare the free and business plans"


@pytest.fixture
def built():
    build(CORPUS)


def link(**params: str) -> str:
    from urllib.parse import urlencode

    return urlencode({"table": "ours", "corpus": CORPUS, **params})


def job_of(app, slot="rt_job"):
    from pages._ui import resources

    return resources.routings().get(app.session_state[slot])


def found_by(app):
    return job_of(app).events[0]


def expected(query, decider="rules", table="ours", history=()):
    from ir_core.embedders import open_embedder

    index = builds.current(CORPUS)
    engine = Engine(index, open_embedder(index.manifest.embedder))
    return route(
        engine, query, decider=DECIDERS.make(decider), table=get_table(table),
        writer=open_writer("corpus", index=index), settings=SearchSettings(k=5), history=history,
    )  # fmt: skip


def ids(result):
    return [hit.artifact_id for hit in result.fused.hits]


def test_nothing_yet_has_its_sentences(built):
    page = shown(open_app(page="router"))
    assert "Nothing is typed yet" in page


def test_no_index_has_its_sentence():
    assert "has no index to search yet" in shown(open_app(page="router"))


def test_a_link_opens_cold_and_shows_the_decision_its_reasons_and_what_route_finds(built):
    app = open_app(link(q=QUERY), page="router")
    told, page = expected(QUERY), shown(app)
    assert ids(found_by(app).routed.result) == ids(told.result)
    assert (found_by(app).routed.decision.label, found_by(app).routed.transform) == ("multi_hop", "multi_query")
    assert "Multi-hop" in page
    for reason in told.decision.reasons:
        assert safe.prose(reason.text) in page
        assert f"{reason.weight:+.2g}".replace("-", "−") in page
    assert f"<td>{told.n_calls}</td><td>{told.n_searches}</td>" in page
    for hit in told.result.fused.hits:
        assert safe.text(hit.title) in page


def test_a_link_of_this_page_leaves_compare_alone(built):
    app = open_app("corpus=help_center&q=who+can+see+my+files&k=7")
    app.query_params["table"] = "course"
    app.query_params["q"] = QUERY
    app.switch_page("pages/router/page.py").run()
    assert app.session_state["rt_query"] == QUERY
    assert (app.session_state["query"], app.session_state["k"]) == ("who can see my files", 7)


def test_what_a_link_names_and_is_not_here_is_said_and_nothing_is_asked(built):
    app = open_app(link(q=QUERY, table="nobody", decider="oracle", label="odd"), page="router")
    page = shown(app)
    for name in ("nobody", "oracle", "odd"):
        assert f"&#x27;{name}&#x27;" in page
    assert job_of(app) is None
    assert app.session_state["rt_query"] == QUERY


def test_another_label_with_one_click(built):
    app = open_app(link(q=QUERY), page="router")
    app.session_state["rt_override"] = "small_talk"
    app.session_state["rt_ask"] = True
    app.run()
    page = shown(app)
    assert found_by(app).routed.transform == "no_search"
    assert "Nothing was searched: small talk" in page
    assert "Decided by you" in page
    assert app.query_params["label"] in ("small_talk", ["small_talk"])
    app = press(app, "rt_keep_label")
    assert [(one.text, one.label) for one in own_labels(CORPUS)] == [(QUERY, "small_talk")]


def test_a_follow_up_is_condensed_first_and_says_so(built):
    query = next(one for one in library.corpus(CORPUS).queries() if one.category == "follow_up")
    app = open_app(page="router")
    app = press(app, "rt_example.follow_up")
    assert app.session_state["rt_turns"] > 0
    assert found_by(app).routed.then is not None
    assert "it was condensed first" in shown(app)
    again = expected(found_by(app).query.text, history=found_by(app).query.history)
    assert ids(found_by(app).routed.result) == ids(again.result)
    assert query.history


def test_another_threshold_redraws_without_a_call(built):
    app = open_app(link(q=QUERY, decider="signal:threshold=1.0"), page="router")
    first, kept = job_of(app), found_by(app)
    assert not kept.routed.decision.keeps_original
    app.slider(key="rt.d.signal.threshold").set_value(0.0).run()
    page = shown(app)
    assert job_of(app) is first
    assert len(first.events) == 1
    assert "strong: the original stays" in page
    assert "The original is the route" in page
    app = open_app(link(q=QUERY, decider="signal:threshold=0.0"), page="router")
    app.slider(key="rt.d.signal.threshold").set_value(1.0).run()
    page = shown(app)
    assert "another route is called for" in page
    assert "Route called for" in page


@pytest.mark.parametrize("said", ["banana", "42", "", "multi-hop or broad, I think"])
def test_nonsense_of_a_model_leaves_it_to_the_rules_and_the_page_says_so(built, llm_server, said):
    llm_server.reply = said
    app = open_app(link(decider="llm"), page="router")
    app.session_state["writer"] = "model"
    app.session_state["model"] = "openai/test-model"
    app.session_state["base_url"] = llm_server.base_url
    app.session_state["rt_query"] = QUERY
    app.run()
    app = press(app, "rt_route")
    page = shown(app)
    assert found_by(app).routed.decision.decider == "rules"
    assert "Rules decided in place of the model" in page


def test_a_changed_table_routes_is_saved_shared_and_deleted(built):
    app = open_app(link(q=QUERY), page="router")
    app.session_state["rt_table_box"] = True
    app.run()
    app.session_state["rt.r.multi_hop.t"] = "hyde"
    app.run()
    app = press(app, "rt_route")
    assert found_by(app).routed.transform == "hyde"
    shared = app.query_params["table"]
    line = shared if isinstance(shared, str) else shared[0]
    assert from_line(line).route("multi_hop").transform == "hyde"
    cold = open_app(link(q=QUERY, table=line), page="router")
    assert found_by(cold).routed.transform == "hyde"
    app.text_input(key="rt_save_name").set_value("Mine").run()
    app = press(app, "rt_save")
    assert own_tables()["Mine"].route("multi_hop").transform == "hyde"
    app = press(app, "rt_delete")
    assert own_tables() == {}
    assert app.session_state["rt_table"] == "ours"


def test_every_table_fills_its_widgets_as_it_is(built):
    from ir_core.router import published

    for name, table in published().items():
        app = open_app(link(q="files", table=name), page="router")
        assert job_of(app).asked.asked.table == table


def test_many_queries_and_a_label_corrected_in_place(built):
    app = open_app(link(), page="router")
    app.session_state["rt_part"] = "Many queries"
    app.run()
    assert "No query yet" in shown(app)
    app.text_area(key="rt_lines").set_value(f"{QUERY}\n\nhello there\n").run()
    app = press(app, "rt_many_start")
    job = job_of(app, "rt_many")
    assert [one.query.text for one in job.events] == [QUERY, "hello there"]
    page = shown(app)
    assert "2 queries routed" in page
    assert "Always Multi-query" in page
    assert "No right label is known" in page
    lines = many_board.to_csv(job.events, {one.query.id: None for one in job.events}).decode("utf-8-sig").splitlines()
    assert [line["query"] for line in csv.DictReader(lines)] == [QUERY, "hello there"]
    assert next(csv.DictReader(lines))["retrieved"].split() == ids(job.events[0].routed.result)
    many_board.save_edits(CORPUS, job, {0: {many_board.RIGHT: TITLES["simple"]}})
    page = shown(app.run())
    assert "Macro-averaged recall 0.00" in page
    assert "1 query" in page


def test_files_are_read_and_bounded():
    lines = many_reading.of_file("q.txt", "\ufeffone\n\n two  words \n".encode())
    assert [one.text for one in lines] == ["one", "two words"]
    kept = many_reading.of_file("q.jsonl", b'{"_id": "1", "text": "hi", "metadata": {"category": "broad"}}\n')
    assert (kept[0].text, kept[0].category) == ("hi", "broad")
    table = many_reading.of_file("q.csv", b"query,label\nhello there,small_talk\nx and y,nonsense\n")
    assert [(one.text, one.category) for one in table] == [("hello there", "small_talk"), ("x and y", None)]
    for name, data in (("q.txt", b" \n"), ("q.jsonl", b"{nonsense\n"), ("q.txt", b"x" * 1_000_001)):
        with pytest.raises(Exception, match=r"\."):
            many_reading.of_file(name, data)
    with pytest.raises(Exception, match="201"):
        many_reading.checked(many_reading.of_lines("a query\n" * 201))


@pytest.mark.parametrize("text", ['<img src=x onerror="a()">', "![x](http://198.51.100.7/a.png)", "ما هي السياسة"])
def test_queries_and_names_are_shown_as_text(built, text):
    app = open_app(link(q=text), page="router")
    assert "<img" not in shown(app)
    assert set(LABELS) == set(TITLES)
