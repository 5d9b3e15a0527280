"""Formulators and the search they stand in front of: what is searched, and what happens when one fails."""

from __future__ import annotations

import inspect

import pytest

from ir_core import FORMULATION_PROMPT, identity_formulator, make_llm_formulator, open_corpus, search
from ir_core.errors import BadFilter, BadQuery, BadSetting, UnknownName
from ir_core.schema import ORIGINAL
from ir_core.writers.llm import LlmWriter, Slots
from ir_core.writers.reply_store import store
from tests.api_parts import TEXTS, Model, Reranker, tiny_engine
from tests.scripted import GOOD, ScriptedWriter

QUERY = "back in"
FAILING = [RuntimeError("down"), None, "", [], ["  ", "\x00\xa0", 3]]


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    made = tiny_engine(tmp_path_factory.mktemp("tiny"))
    yield made
    made.index.close()


def failing(reply):
    def formulate(query):
        if isinstance(reply, Exception):
            raise reply
        return reply

    return formulate


def ids(hits):
    return [hit.artifact_id for hit in hits]


def test_identity_and_the_signature_of_the_source():
    assert identity_formulator("x") == "x"
    known = inspect.signature(make_llm_formulator).parameters
    defaults = {name: known[name].default for name in ("rewriter", "prompt", "n", "fallback")}
    assert defaults == {"rewriter": None, "prompt": FORMULATION_PROMPT, "n": 3, "fallback": None}
    assert all(one.kind is not inspect.Parameter.POSITIONAL_OR_KEYWORD for one in known.values())
    assert "{query}" in FORMULATION_PROMPT
    assert "{n}" in FORMULATION_PROMPT


def test_a_rewriter_gives_a_list_without_the_original():
    assert make_llm_formulator(rewriter=lambda query: query + "!")("q") == ["q!"]
    assert make_llm_formulator(rewriter=lambda query: ["a", " ", "b", 3])("q") == ["a", "b"]


@pytest.mark.parametrize("reply", FAILING, ids=repr)
def test_any_error_or_empty_reply_gives_the_fallback(reply):
    assert make_llm_formulator(rewriter=failing(reply))("q") == "q"
    formulator = make_llm_formulator(rewriter=failing(reply), fallback=lambda query: [query, query + "?"])
    assert formulator("q") == ["q", "q?"]
    assert formulator.formulate("q").fallback_reason
    assert make_llm_formulator(rewriter=failing(reply), fallback=failing(OSError("too")))("q") == "q"


def test_an_llm_is_asked_for_n_queries_with_the_prompt_of_the_bank():
    writer = ScriptedWriter()
    formulator = make_llm_formulator(llm_provider=writer, n=2, temperature=0.7)
    assert writer.asked == []
    assert formulator("q") == GOOD["multi_query"]
    (task,) = writer.asked
    assert (task.name, task.n, task.temperature) == ("multi_query", 2, 0.7)
    model = Model(["first words", "second words"])
    assert make_llm_formulator(model=model, n=2)(QUERY) == ["first words", "second words"]
    assert model.prompts[0].startswith(FORMULATION_PROMPT[:60])
    assert "Write 2 other queries" in model.prompts[0]


def test_a_prompt_of_ones_own_is_filled_and_its_reply_read_like_any():
    model = Model("Sure:\n1. one\n2. two\n2. two\n3. three")
    formulator = make_llm_formulator(
        llm_provider=model, prompt='{n} queries for {who}, like {"a": 1}: {query}', n=2, who="nurses"
    )
    assert formulator("cost ${n}") == ["one", "two"]
    assert model.prompts == ['2 queries for nurses, like {"a": 1}: <query>\ncost ${n}\n</query>']


@pytest.mark.parametrize(
    "options",
    [{"prompt": "no place"}, {"prompt": "{query}", "who": "x"}, {"n": 0}, {"n": 9}, {"prompt": "{query} ${odd}"}],
    ids=str,
)
def test_what_cannot_be_asked_is_refused_when_it_is_made(options):
    with pytest.raises(BadSetting):
        make_llm_formulator(llm_provider=Model("x"), **options)


def test_without_an_llm_the_query_is_used_and_the_reason_kept(monkeypatch, engine):
    monkeypatch.delenv("QUERY_PRISM_MODEL", raising=False)
    formulator = make_llm_formulator()
    assert formulator(QUERY) == QUERY
    found = search(engine, QUERY, formulate=formulator)
    assert "No LLM is configured" in found.fallback_reason
    assert ids(found) == ids(search(engine, QUERY))


@pytest.mark.filterwarnings("ignore:Accessing the:DeprecationWarning")
def test_end_to_end_over_a_real_server_good_and_down(llm_server, engine):
    def formulator(**options):
        own = {"api_base": llm_server.base_url, "api_key": "k", "retries": 0}
        writer = LlmWriter("openai/test-model", **own, slots=Slots())
        return make_llm_formulator(llm_provider=writer, **options)

    llm_server.reply = '["sign out other devices", "somebody else uses your account"]'
    found = search(engine, QUERY, formulate=formulator())
    assert found.queries == ("sign out other devices", "somebody else uses your account")
    assert (found[0].artifact_id, found.fallback_reason) == ("session", None)
    own = search(engine, QUERY, formulate=formulator(prompt="Say {query} {n} times", temperature=0.9))
    assert own.queries == found.queries
    assert llm_server.requests[-1].body["messages"] == [
        {"role": "user", "content": f"Say <query>\n{QUERY}\n</query> 3 times"}
    ]
    assert llm_server.requests[-1].body["temperature"] == 0.9
    store().clear()
    llm_server.queue("500")
    down = search(engine, QUERY, formulate=formulator())
    assert down.queries == (QUERY,)
    assert "openai/test-model" in down.fallback_reason
    assert ids(down) == ids(search(engine, QUERY))


def test_no_formulator_searches_the_query_as_it_is(engine):
    found = search(engine, TEXTS["upload"])
    assert (found[0].artifact_id, found.queries, found.fallback_reason) == ("upload", (TEXTS["upload"],), None)
    assert found.result.formulation.queries[0].id == ORIGINAL
    assert len(search(engine, "sharing a folder", k=2)) == 2


def test_what_the_formulator_gives_is_searched_without_the_original_unless_asked(engine):
    def formulate(query):
        return [TEXTS["upload"], TEXTS["guests"], TEXTS["upload"]]

    found = search(engine, TEXTS["invoice"], formulate=formulate)
    assert found.queries == (TEXTS["upload"], TEXTS["guests"])
    assert set(ids(found)[:2]) == {"upload", "guests"}
    kept = search(engine, TEXTS["invoice"], formulate=formulate, keep_original=True)
    assert kept.queries == (TEXTS["invoice"], TEXTS["upload"], TEXTS["guests"])
    assert set(ids(kept)[:3]) == {"upload", "guests", "invoice"}


def test_each_artifact_keeps_the_best_score_of_any_query(engine):
    queries = [TEXTS["guests"] + " please", TEXTS["upload"]]
    found = search(engine, "x", formulate=lambda query: queries)
    alone = [search(engine, query) for query in queries]
    best = {
        name: max(hit.leg_scores["dense"] for hits in alone for hit in hits if hit.artifact_id == name)
        for name in TEXTS
    }
    assert ids(found) == sorted(best, key=lambda name: -round(best[name], 6))
    assert {hit.artifact_id: hit.leg_scores["dense"] for hit in found} == pytest.approx(best)
    assert all(len(hit.contributions) == 1 for hit in found)
    assert any(
        len(hit.contributions) == 2 for hit in search(engine, "x", formulate=lambda query: queries, fusion="rrf")
    )


@pytest.mark.parametrize("reply", FAILING, ids=repr)
def test_a_formulator_that_fails_never_costs_results(engine, reply):
    found = search(engine, QUERY, mode="hybrid", formulate=failing(reply))
    assert ids(found) == ids(search(engine, QUERY, mode="hybrid"))
    assert found.fallback_reason


def test_filters_kinds_and_rerankers_hold(engine, monkeypatch):
    assert ids(search(engine, QUERY, filter={"title": "Guests"}, surfaces={"document"})) == ["guests"]
    monkeypatch.setattr("ir_core.rerankers.open_reranker", lambda name: Reranker())
    assert ids(search(engine, QUERY, rerank="longest"))[0] == max(TEXTS, key=lambda name: len(TEXTS[name]))


def test_a_folder_is_a_corpus_and_an_opened_one_stays_as_it_is(engine, tmp_path):
    (tmp_path / "guests.txt").write_text(TEXTS["guests"], "utf-8")
    (tmp_path / "upload.txt").write_text(TEXTS["upload"], "utf-8")
    opened = open_corpus(tmp_path, embedder="hashing")
    assert search(opened, TEXTS["upload"])[0].text == TEXTS["upload"]
    assert open_corpus(engine) is engine
    assert open_corpus(engine, embedder="hashing") is engine
    with pytest.raises(BadSetting, match="hashing"):
        open_corpus(engine, embedder="all-MiniLM-L6-v2")


def test_a_filter_that_cannot_be_is_refused_before_the_formulator_is_asked(engine):
    model = Model(["a"])
    with pytest.raises(BadFilter):
        search(engine, QUERY, filter={"colour": "red"}, formulate=make_llm_formulator(model=model))
    assert model.prompts == []


def test_a_query_that_is_too_long_is_cut_and_that_is_noted(engine):
    found = search(engine, QUERY, formulate=lambda query: "long " * 900)
    assert len(found.queries[0]) <= 2_000
    assert "only the first 1,999 are searched" in found.result.formulation.notes[0]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"query": " "}, BadQuery),
        ({"mode": "bm25"}, UnknownName),
        ({"fusion": "sum"}, UnknownName),
        ({"k": 0}, BadSetting),
        ({"surfaces": ["deps"]}, UnknownName),
        ({"filter": {"colour": "red"}}, BadFilter),
        ({"corpus": "no_such_corpus"}, UnknownName),
    ],
)
def test_what_cannot_be_searched_is_an_error_not_a_fallback(engine, options, error):
    with pytest.raises(error):
        search(**{"corpus": engine, "query": QUERY, "formulate": failing(None), **options})
