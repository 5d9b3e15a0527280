"""What moved, Agreement, Fused ranking and Without a query, in every state they can be in."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from ir_core.build import build as build_index
from ir_core.embedders import open_embedder
from ir_core.retrieval import Engine, SearchSettings, search_many
from ir_core.schema import Artifact, Formulation, Query
from ir_core.strategies import STRATEGY_REGISTRY
from pages.compare.instruments import instruments
from tests.app import open_app, open_tab, shown
from tests.made_results import result

LABELS = ("What moved", "Agreement", "Fused ranking", "Without a query")
JUDGED = "corpus=help_center&q=restore+a+file+I+deleted+yesterday"
HOSTILE = "<img src='http://198.51.100.7/a.png'> =1+1 ![x](http://198.51.100.7/b.png)"
ARABIC = "متحف القاهرة"
WORDS = ["zebra", "crossing", "road", "river", "museum", "lamp", "bicycle", "market"]


pytestmark = pytest.mark.usefixtures("ready")


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    """Eighty documents, some of whose titles are hostile or read from the right."""
    titles = [HOSTILE, ARABIC, "A plain title"]
    documents = [
        Artifact(f"d{i}", f"{WORDS[i % 8]}, {WORDS[(i + i // 8) % 8]}, item {i}", {"title": f"{titles[i % 3]} {i}"})
        for i in range(80)
    ]
    embedder, strategy = open_embedder("hashing"), STRATEGY_REGISTRY["WholeText"]()
    index = build_index("odd", documents, strategy, embedder, home=tmp_path_factory.mktemp("odd"))
    yield Engine(index, embedder)
    index.close()


def panel(label: str, results, *, engine=None, k: int = 5, **state: object) -> AppTest:
    """One instrument alone, over results that no page has to make first."""

    def script(show, ready, asked, results):
        import streamlit as st

        st.session_state.setdefault("expected", None)
        show(ready, asked, results)

    show = next(item.show for item in instruments() if item.label == label)
    ready = SimpleNamespace(corpus="help_center", engine=engine)
    asked = SimpleNamespace(query="zebra", k=k, settings=SearchSettings(k=k))
    given = {"show": show, "ready": ready, "asked": asked, "results": results}
    app = AppTest.from_function(script, default_timeout=60, kwargs=given)
    for key, value in state.items():
        app.session_state[key] = value
    return app.run()


def tables(app: AppTest) -> list:
    shown(app)
    return [frame.value for frame in app.dataframe]


def test_the_four_stand_in_their_order_before_the_others():
    labels = [item.label for item in instruments()]
    assert labels[:4] == list(LABELS)


def test_what_moved_says_it_in_words_and_the_table_has_the_same_facts():
    app = open_tab(open_app(JUDGED), "What moved")
    page = shown(app)
    assert "<dt>1. Original</dt>" not in page
    assert "<dt>2. Rewrite</dt><dd>" in page
    assert "square is judged relevant (gold)" in page
    table = next(frame for frame in tables(app) if "looked for" in frame.columns)
    assert "■ judged relevant" in set(table["looked for"])
    assert list(table["1. Original"])[:5] == ["1", "2", "3", "4", "5"]
    entered = sum("new" in cell or "saved" in cell for cell in table["3. Multi-query"])
    left = sum("gone" in cell or "lost" in cell for cell in table["3. Multi-query"])
    assert entered == left, "k places are filled before and after"


def test_agreement_has_a_row_per_pair_and_follows_p():
    app = open_tab(open_app(f"{JUDGED}&t=rewrite&t=hyde"), "Agreement")
    (table,) = [frame for frame in tables(app) if "RBO" in frame.columns]
    assert len(table) == 3
    before = list(table["RBO"])
    assert all(0 <= value <= 1 for value in before)
    app.segmented_control(key="rbo_p").set_value(0.8).run()
    assert "expected to go 5 places deep" in shown(app)
    assert list(next(frame for frame in tables(app) if "RBO" in frame.columns)["RBO"]) != before


def test_a_pressed_query_leaves_only_its_hits():
    app = open_tab(open_app(f"{JUDGED}&t=multi_query"), "Fused ranking")
    page = shown(app)
    assert "lists read; joined inside each leg by" in page
    whole = next(frame for frame in tables(app) if "rank there" in frame.columns)
    each = whole.groupby("rank")
    assert (each["share"].sum() - each["score"].first()).abs().max() < 1e-9
    assert each["of the score"].sum().round(3).eq(100).all()
    app.pills(key="fused_query_1").set_value("variant-1").run()
    rows = next(frame for frame in tables(app) if "rank there" in frame.columns)
    assert set(rows["query"]) == {"variant 1"}
    assert "it read" in shown(app)


def test_without_a_query_gives_a_verdict_each_and_says_what_it_took():
    app = open_tab(open_app(f"{JUDGED}&t=multi_query&t=hyde"), "Without a query")
    page = shown(app)
    assert "no text was written for it and nothing searched" in page
    table = next(frame for frame in tables(app) if "left out" in frame.columns)
    assert list(table["left out"]) == ["original", "variant 1", "variant 2", "variant 3"]
    assert set(table["verdict"]) <= {"useless", "changes the list", "harmful", "helpful"}
    app.selectbox(key="left_out_of").set_value(2).run()
    assert "one batch of searches was made" in shown(app)
    app.selectbox(key="left_out_of").set_value(0).run()
    assert "One query alone was searched here" in shown(app)


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("What moved", "Only the original was asked"),
        ("Agreement", "nothing for it to agree with"),
        ("Fused ranking", "1 list read"),
        ("Without a query", "One query alone"),
    ],
)
def test_one_transform_only(label, said):
    assert said in shown(panel(label, [result(["a", "b"])]))


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("What moved", "No transform found anything"),
        ("Agreement", "No transform found anything"),
        ("Fused ranking", "This transform found nothing"),
        ("Without a query", "One query alone"),
    ],
)
def test_nothing_found(label, said):
    assert said in shown(panel(label, [result([]), result([], transform="hyde", title="HyDE")]))


def test_a_fall_back_and_a_skipped_query_are_said_in_every_panel():
    fell = result(["a", "b"], transform="hyde", title="HyDE", fallback_reason="the reply was empty")
    skipped = result([], transform="condense", title="Condense", skip_reason="This is small talk.")
    results = [result(["a", "b"]), fell, skipped]
    for label in ("What moved", "Agreement"):
        page = shown(panel(label, results))
        assert "<dt>2. HyDE</dt><dd>fell back to the original" in page
        assert "<dt>3. Condense</dt><dd>not searched" in page
    (table,) = tables(panel("Agreement", results))
    assert table["RBO"].isna().tolist() == [False, True, True], "unknown, and never 0"
    for label, key in (("Fused ranking", "fused_of"), ("Without a query", "left_out_of")):
        app = panel(label, results)
        assert "This is small talk." in shown(app.selectbox(key=key).set_value(2).run())
    app = panel("Without a query", results)
    assert "the reply was empty" in shown(app.selectbox(key="left_out_of").set_value(1).run())


@pytest.mark.parametrize("label", LABELS)
def test_eight_transforms_at_k_50_with_hostile_and_right_to_left_titles(engine, label):
    original = Query("original", "zebra crossing")
    made = [
        Formulation("identity" if not i else "multi_query", HOSTILE if i == 7 else "Multi-query", original,
                    (original, *(Query(f"variant-{n}", WORDS[(i + n) % 8], "variant") for n in range(i))))
        for i in range(8)
    ]  # fmt: skip
    results = search_many(engine, made, SearchSettings(k=50))
    app = panel(label, results, engine=engine, k=50)
    page = shown(app)
    assert "<img" not in page
    cells = [str(cell) for table in tables(app) for column in table for cell in table[column]]
    assert cells
    if label != "Agreement":
        assert any(ARABIC in cell for cell in cells)
        assert any("198.51.100.7" in cell for cell in cells), "shown as it is"
    charts = [item.proto.spec for item in app.get("plotly_chart")]
    assert charts
    assert all("<img" not in chart and "\\u003cimg" not in chart for chart in charts)


def test_a_stored_choice_of_an_earlier_comparison_does_no_harm():
    results = [result(["a"]), result(["b"])]
    assert "1 list read" in shown(panel("Fused ranking", results, fused_of=5, fused_query_0="variant-9"))
