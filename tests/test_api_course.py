"""The course's functions: the dictionary they promise, the configs, and failures that are seen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ir_core import course
from ir_core.errors import BadQuery, BadSetting, UnknownName, WriterError
from ir_core.schema import Written
from tests.api_parts import TEXTS, Model, Reranker, tiny_engine
from tests.scripted import GOOD, ScriptedWriter

QUESTION = "who may share a folder with guests"
KEYS = [
    "question", "transform", "queries", "results", "latency_s", "cost_usd", "calls", "fallback_reason", "config",
]  # fmt: skip


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    made = tiny_engine(tmp_path_factory.mktemp("tiny"))
    yield made
    made.index.close()


@pytest.fixture(autouse=True)
def no_model(monkeypatch):
    monkeypatch.delenv("QUERY_PRISM_MODEL", raising=False)


def test_the_result_has_the_keys_it_promises(engine):
    told = course.query(QUESTION, corpus=engine)
    assert list(told) == KEYS
    assert (told["question"], told["transform"], told["queries"]) == (QUESTION, "none", [QUESTION])
    assert (told["cost_usd"], told["calls"], told["fallback_reason"]) == (0, 0, None)
    assert told["latency_s"] > 0
    assert len(told["results"]) == 5
    best = told["results"][0]
    assert (list(best), best["id"], best["text"]) == (["id", "text", "score"], "guests", TEXTS["guests"])
    assert len(course.query(QUESTION, 2, corpus=engine)["results"]) == 2


def test_the_bundled_help_centre_is_the_default():
    told = course.query("someone else is logged in as me", embedder="hashing")
    assert told["config"] == {
        "name": "full",
        "mode": "hybrid",
        "reranker": None,
        "embedder": "hashing",
        "writer": None,
        "corpus": "help_center",
    }
    assert len(told["results"]) == 5
    assert told["results"][0]["id"].startswith("hc-")


@pytest.mark.parametrize(
    ("transform", "queries"),
    [
        ("hyde", [QUESTION, GOOD["hyde"][0]]),
        ("multi_query", [QUESTION, *GOOD["multi_query"]]),
        ("decompose", [QUESTION, *GOOD["decompose"]]),
    ],
)
def test_each_transform_says_what_it_searched_and_called(engine, transform, queries):
    told = course.query(QUESTION, transform=transform, corpus=engine, llm_provider=ScriptedWriter())
    assert told["queries"] == queries
    assert (told["calls"], told["cost_usd"], told["fallback_reason"]) == (1, None, None)
    assert told["config"]["writer"] == "scripted"


def test_the_corpus_writer_needs_no_llm(engine):
    told = course.query("sharing folders", transform="multi_query", corpus=engine, llm_provider="corpus")
    assert told["config"]["writer"] == "corpus (no LLM)"
    assert told["cost_usd"] == 0


@pytest.mark.parametrize(("config", "leg"), [("dense_only", "dense"), ("bm25_only", "lexical")])
def test_one_leg_alone(engine, config, leg, monkeypatch):
    seen = []
    search = course.search
    monkeypatch.setattr(course, "search", lambda *given: seen.append(search(*given)) or seen[-1])
    told = course.query(QUESTION, config=config, corpus=engine)
    assert (told["config"]["name"], told["config"]["mode"]) == (config, leg)
    assert {ranking.leg for ranking in seen[0].rankings} == {leg}


def test_bm25_only_does_not_search_an_invented_passage(engine):
    told = course.query(QUESTION, transform="hyde", config="bm25_only", corpus=engine, llm_provider=ScriptedWriter())
    assert told["queries"] == [QUESTION]


def test_full_reranks_when_a_reranker_is_named_and_the_others_never_do(engine, monkeypatch):
    monkeypatch.setattr("ir_core.rerankers.open_reranker", lambda name: Reranker())
    told = course.query(QUESTION, corpus=engine, reranker="longest")
    assert told["config"]["reranker"] == "longest"
    assert [one["score"] for one in told["results"]] == sorted(
        (float(len(text)) for text in TEXTS.values()), reverse=True
    )
    opened = replace(engine, reranker=Reranker())
    assert course.query(QUESTION, corpus=opened)["config"]["reranker"] == "longest"
    for config in ("no_rerank", "dense_only", "bm25_only"):
        told = course.query(QUESTION, config=config, corpus=opened, reranker="longest")
        assert told["config"]["reranker"] is None
        assert told["results"][0]["id"] == "guests"


@pytest.mark.parametrize("provider", [None, Model(OSError("down")), Model("")], ids=["none", "down", "empty"])
def test_without_a_writer_that_works_the_question_is_searched_and_the_reason_said(engine, provider):
    told = course.query(QUESTION, transform="multi_query", corpus=engine, llm_provider=provider)
    assert told["fallback_reason"]
    assert told["queries"] == [QUESTION]
    assert told["results"] == course.query(QUESTION, corpus=engine)["results"]


@pytest.mark.parametrize(
    ("question", "label", "chosen"),
    [
        ("guests", "ambiguous_short", "hyde"),
        ("upload limit of the sync client", "simple", "none"),
        ("Does a rookie pay more than a veteran, and since when?", "multi_hop", "decompose"),
    ],
)
def test_auto_routes_by_the_courses_table_and_says_so(engine, question, label, chosen):
    told = course.query(question, transform="auto", corpus=engine, llm_provider=ScriptedWriter())
    alone = course.query(question, transform=chosen, corpus=engine, llm_provider=ScriptedWriter())
    assert list(told) == KEYS
    assert (told["transform"], told["config"]["route"]["label"]) == (chosen, label)
    assert told["config"]["route"]["reasons"]
    assert {key: told[key] for key in ("queries", "results", "calls")} == {
        key: alone[key] for key in ("queries", "results", "calls")
    }


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"transform": "rewrite"}, UnknownName),
        ({"transform": "identity"}, UnknownName),
        ({"config": "everything"}, UnknownName),
        ({"top_k": 0}, BadSetting),
        ({"question": "\n"}, BadQuery),
    ],
)
def test_invalid_names_and_values_raise(engine, options, error):
    with pytest.raises(error):
        course.query(**{"question": QUESTION, "corpus": engine, **options})


def test_the_text_functions():
    writer = ScriptedWriter()
    assert course.hyde(QUESTION, llm_provider=writer) == GOOD["hyde"][0]
    assert course.multi_query_rewrite(QUESTION, llm_provider=writer) == GOOD["multi_query"]
    assert course.multi_query_rewrite(QUESTION, n=2, llm_provider=writer) == GOOD["multi_query"][:2]
    assert course.decompose(QUESTION, llm_provider=writer) == GOOD["decompose"]
    assert [task.n for task in writer.asked] == [1, 3, 2, 4]


@pytest.mark.parametrize("reply", [[QUESTION], [Written("one fact only")]], ids=["repeated", "one"])
def test_a_question_that_is_not_decomposable_has_no_sub_questions(reply):
    assert course.decompose(QUESTION, llm_provider=ScriptedWriter(answers={"decompose": reply})) == []


@pytest.mark.parametrize("function", [course.hyde, course.multi_query_rewrite, course.decompose])
def test_the_text_functions_do_not_pass_a_failure_off_as_an_answer(function):
    with pytest.raises(WriterError, match="OSError"):
        function(QUESTION, llm_provider=Model(OSError("down")))
    with pytest.raises(BadSetting, match="No LLM is configured"):
        function(QUESTION)
    with pytest.raises(BadQuery):
        function(" ", llm_provider=Model("x"))
