"""The tabs of drift, map, time, samples, stability and the pin, in each of their states."""

from __future__ import annotations

import pytest

from pages._ui import resources
from pages._ui.pins import Pins
from tests.app import build, open_app, open_tab, press, shown
from tests.made_results import result

TABS = ("What the text became", "Map", "Time and cost", "Samples", "Stability", "Pinned")
EIGHT = "&t=rewrite&t=multi_query&t=hyde&t=decompose&t=step_back&t=rocchio&t=rm3"
QUERY = "corpus=help_center&q=who+can+see+my+files"
PASSAGES = "t=hyde:{%22passages%22:3}"
HOSTILE = "<img src=x onerror=alert(1)> =cmd() **b** $x$ كيف أرى ملفاتي"


def frames(app, column: str):
    return [frame.value for frame in app.dataframe if column in frame.value.columns]


def below(app) -> str:
    """What the open tab says."""
    return shown(app).split("What it shows", 1)[1]


def ask_model(llm_server, link: str):
    app = open_app(f"{QUERY}&writer=openai/test-model&{link}")
    app.text_input(key="api_key").set_value("sk-typed-for-this-visit-0002")
    app.text_input(key="base_url").set_value(llm_server.base_url)
    return press(app, "compare")


@pytest.mark.usefixtures("ready")
@pytest.mark.parametrize("tab", TABS)
def test_eight_transforms_and_a_hostile_query_are_drawn(tab):
    app = open_app(QUERY + EIGHT)
    assert "8 of 8 finished" in shown(app)
    assert below(open_tab(app, tab))
    app.text_input(key="query").set_value(HOSTILE).run()
    page = shown(app)
    assert "<img src=x" not in page
    assert "8 of 8 finished" in page


@pytest.mark.usefixtures("ready")
def test_drift_tells_each_text_in_words_and_numbers():
    app = open_tab(open_app(f"{QUERY}&t=multi_query"), TABS[0])
    (table,) = frames(app, "verdict")
    assert len(table) >= 2
    assert table["verdict"].str.len().min() > 0
    assert table["cosine"].astype(float).between(-1, 1).all()


@pytest.mark.usefixtures("ready")
def test_without_written_texts_drift_and_stability_say_so():
    app = open_tab(open_app("corpus=help_center&q=bin&t=identity"), TABS[0])
    assert "No transform wrote a text of its own" in below(app)
    assert "No transform that asks a writer" in below(open_tab(app, TABS[4]))


@pytest.mark.usefixtures("ready")
def test_the_map_prints_what_two_axes_explain_and_has_the_cosines_as_a_table():
    app = open_app(f"{QUERY}&t=multi_query")
    app.session_state["expected"] = "hc-001"
    app = open_tab(app, "Map")
    assert "of the variance" in below(app)
    (table,) = frames(app, "nearest surface")
    assert table["to the original"].iloc[0] == "1.00"
    (gold,) = frames(app, "looked for")
    assert set(gold["as"]) == {"★ expected"}


@pytest.mark.usefixtures("ready")
def test_the_budget_is_the_users_and_the_table_says_who_keeps_it():
    app = open_tab(open_app(f"{QUERY}&t=rewrite"), "Time and cost")
    assert "2 of 2 transforms within 1.0 s" in below(app)
    assert frames(app, "within 1.0 s")
    app.session_state["latency_budget"] = "batch"
    app.run()
    assert "transforms within" not in below(app)
    assert not frames(app, "within 1.0 s")
    (bars,) = frames(app, "from ms")
    assert bars["from ms"].min() == 0
    assert "Nobody has judged this query" in below(app)


@pytest.mark.usefixtures("ready")
def test_a_judged_query_has_gains_and_free_ones_none_per_dollar():
    app = open_tab(press(open_app("corpus=help_center"), "example.hc-q075"), "Time and cost")
    (table,) = frames(app, "per dollar")
    assert table["nDCG gained"].iloc[0] == "baseline"
    assert set(table["per dollar"].iloc[1:]) == {"free"}


@pytest.mark.usefixtures("ready")
def test_samples_wait_for_several_passages_and_are_searched_alone_on_a_click(llm_server):
    app = open_tab(open_app(f"{QUERY}&t=hyde"), "Samples")
    assert "No transform wrote several passages" in below(app)
    llm_server.reply = lambda body: f"An owner sees who may open file {body['seed']}, and shares it."
    app = open_tab(ask_model(llm_server, PASSAGES), "Samples")
    (table,) = frames(app, "to the mean")
    assert len(table) == 3
    asked = len(llm_server.requests)
    app = press(app, "samples_search")
    (found,) = frames(app, "passage 3")
    assert len(found) == 5
    assert len(llm_server.requests) == asked, "no model is asked"


@pytest.mark.usefixtures("ready")
def test_a_writer_without_chance_is_the_same_every_time():
    app = open_tab(open_app(f"{QUERY}&t=multi_query"), "Stability")
    assert "≈ 3 texts to write" in below(app)
    page = below(press(app, "stability_go"))
    assert "3 of 3 finished" in page
    assert "The same every time" in page


@pytest.mark.usefixtures("ready")
def test_a_model_is_asked_as_often_as_was_said_past_kept_replies(llm_server):
    app = open_tab(ask_model(llm_server, "t=rewrite"), "Stability")
    before = len(llm_server.requests)
    app.number_input(key="stability_times").set_value(4).run()
    assert "≈ 4 calls" in below(app)
    app = press(app, "stability_go")
    assert "4 of 4 finished" in below(app)
    assert len(llm_server.requests) == before + 4
    assert "sk-typed-for-this-visit-0002" not in str(vars(resources.repeats().get(app.session_state["repeats"])))
    app.radio(key="writer").set_value("corpus").run()
    assert "The writer was changed since" in below(app)
    assert app.button(key="stability_go").disabled


@pytest.mark.usefixtures("ready")
def test_a_pin_stays_and_says_what_was_changed():
    app = open_tab(open_app(f"{QUERY}&t=multi_query"), "Pinned")
    assert "Nothing is pinned" in below(app)
    app = press(app, "pin")
    assert "nothing was changed since" in below(app)
    app.session_state["mode_by_hand"], app.session_state["mode"] = True, "lexical"
    app = press(app.run(), "compare")
    page = below(app)
    assert "the retrieval mode (was hybrid)" in page
    assert "From “Pinned” to “Now”" in page
    assert list(frames(app, "1. Pinned")[0].columns) == ["document", "1. Pinned", "2. Now"]
    assert "Nothing is pinned" in below(press(app, "unpin"))


def test_a_pin_survives_an_index_built_otherwise(tmp_path, monkeypatch):
    monkeypatch.setenv("QUERY_PRISM_HOME", str(tmp_path))
    build("help_center")
    app = press(open_tab(open_app(f"{QUERY}&t=multi_query"), "Pinned"), "pin")
    build("help_center", strategy={"name": "Chunked", "params": {"chunk_size": 200, "overlap": 0}})
    app = press(app.run(), "compare")
    page = below(app)
    assert "the index, which was built anew" in page
    assert "the strategy (was" in page
    table = frames(app, "1. Pinned")[0]
    assert ((table["2. Now"] != "–") & (table["1. Pinned"] != "–")).any(), "documents are told by their id"


def test_pins_are_bounded_and_the_one_not_looked_at_goes_first():
    pins = Pins(2)
    first, second = (pins.keep("order", ("s", "e"), [result(["a"])]) for _ in range(2))
    assert pins.get(first) is not None
    third = pins.keep("order", ("s", "e"), [])
    assert [pins.get(name) is not None for name in (first, second, third)] == [True, False, True]
    assert pins.get(None) is None
    pins.drop(first)
    assert pins.get(first) is None


@pytest.mark.usefixtures("ready")
@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("q=which+of+my+files+are+shared", "this writer gives one. Choose a model in Writer"),
        ("q=restore+a+file+I+deleted+yesterday", "there is one authored example"),
    ],
)
def test_samples_do_not_advise_what_is_done_already(link, said):
    app = open_tab(open_app(f"corpus=help_center&{link}&{PASSAGES}"), "Samples")
    assert said in below(app)
    assert "set HyDE’s passages above 1" not in below(app)
