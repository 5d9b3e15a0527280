"""The lecture's functions: which queries they search in which leg, how they join, and what a failure gives."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ir_core import course, lecture
from ir_core.errors import BadSetting
from ir_core.schema import Hit
from tests.api_parts import TEXTS, Model, Reranker, tiny_engine
from tests.scripted import GOOD, ScriptedWriter

QUERY = "who may come in"
HISTORY = [{"role": "user", "content": "tell me about guests"}]
PASSAGES = [TEXTS["guests"] + " It is free.", "A folder is shared with guests.", "Guests come in by a link."]


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    made = tiny_engine(tmp_path_factory.mktemp("tiny"))
    yield made
    made.index.close()


@pytest.fixture(autouse=True)
def no_model(monkeypatch):
    monkeypatch.delenv("QUERY_PRISM_MODEL", raising=False)


def hit(name: str, rank: int, text: str | None = None, score: float = 0.5) -> Hit:
    return Hit(name, f"{name}#document#0", "document", text or f"text of {name}", name, {}, rank, score)


def ids(hits):
    return [one.artifact_id for one in hits]


def test_texts_from_a_query():
    writer = ScriptedWriter()
    assert lecture.rewrite_query(QUERY, llm_provider=writer) == GOOD["rewrite"][0]
    assert lecture.condense(HISTORY, QUERY, llm_provider=writer) == GOOD["condense"][0]
    assert lecture.expand(QUERY, llm_provider=writer) == [QUERY, *GOOD["multi_query"]]
    assert lecture.expand(QUERY, n=1, llm_provider=writer) == [QUERY, GOOD["multi_query"][0]]
    assert [list(task.history) for task in writer.asked] == [[], HISTORY, [], []]
    assert [task.temperature for task in writer.asked] == [0.0, 0.0, 0.5, 0.5]
    assert [task.n for task in writer.asked[2:]] == [3, 1]


def test_a_query_is_condensed_where_there_is_a_conversation():
    writer = ScriptedWriter()
    assert lecture.transform_query(QUERY, HISTORY, llm_provider=writer) == GOOD["condense"][0]
    assert lecture.transform_query(QUERY, [], llm_provider=writer) == GOOD["rewrite"][0]
    assert [list(task.history) for task in writer.asked] == [HISTORY, []]


def test_a_failure_gives_the_query_back():
    model = Model(OSError("down"))
    assert lecture.transform_query(QUERY, HISTORY, llm_provider=model) == QUERY
    assert lecture.rewrite_query(QUERY, llm_provider=model) == QUERY
    assert lecture.expand(QUERY, llm_provider=model) == [QUERY]
    with pytest.raises(BadSetting, match="No LLM is configured"):
        lecture.expand(QUERY)


def test_rrf_is_the_sum_of_reciprocal_ranks():
    first, second = [hit("a", 1), hit("b", 2), hit("c", 3)], [hit("c", 1), hit("a", 2)]
    joined = lecture.rrf([first, second])
    assert ids(joined) == ["a", "c", "b"]
    assert [one.score for one in joined] == pytest.approx([1 / 61 + 1 / 62, 1 / 63 + 1 / 61, 1 / 62])
    assert [one.rank for one in joined] == [1, 2, 3]
    assert all(sum(part.share for part in one.contributions) == pytest.approx(one.score, abs=1e-9) for one in joined)
    assert [(part.query_id, part.rank) for part in joined[1].contributions] == [("list-2", 1), ("list-1", 3)]
    assert ids(lecture.rrf([[hit("z", 1)], [hit("y", 1)]])) == ["y", "z"]


@pytest.mark.parametrize("rankings", [[], [[]], [[], []]], ids=str)
def test_rrf_of_nothing_is_nothing(rankings):
    assert lecture.rrf(rankings) == []


def test_dedup_keeps_the_first_of_each_artifact_and_text():
    hits = [hit("a", 1), hit("b", 2, "TEXT of  a"), hit("a", 3, "other"), hit("c", 4)]
    assert [(one.artifact_id, one.rank) for one in lecture.dedup(hits)] == [("a", 1), ("c", 2)]
    assert lecture.dedup([]) == []


def test_multi_query_joins_what_each_wording_finds(engine):
    variants = [TEXTS["upload"], TEXTS["guests"]]
    writer = ScriptedWriter(answers={"multi_query": variants})
    found = lecture.multi_query(QUERY, corpus=engine, llm_provider=writer)
    assert (writer.asked[0].n, writer.asked[0].temperature) == (4, None)
    assert found.queries == (QUERY, *variants)
    assert len(ids(found)) == len(set(ids(found))) == len(TEXTS)
    assert {part.query_id for one in found for part in one.contributions} <= {"list-1", "list-2", "list-3"}
    assert len(lecture.multi_query(QUERY, k=2, corpus=engine, llm_provider=writer)) == 2


def test_decompose_and_retrieve_has_three_as_evidence_for_each_part(engine):
    parts = ["is the billing address on an invoice changed", "sharing a folder with guests"]
    writer = ScriptedWriter(answers={"decompose": parts})
    reranker = Reranker()
    found = lecture.decompose_and_retrieve(QUERY, corpus=engine, llm_provider=writer)
    assert list(found) == parts
    assert [ids(found[part])[0] for part in parts] == ["invoice", "guests"]
    assert all(len(hits) == 3 for hits in found.values())
    ranked = lecture.decompose_and_retrieve(QUERY, corpus=replace(engine, reranker=reranker), llm_provider=writer)
    assert reranker.queries == parts
    longest = sorted(TEXTS, key=lambda name: (-len(TEXTS[name]), name))[:3]
    assert [ids(ranked[part]) for part in parts] == [longest, longest]


def test_a_question_that_stays_whole_is_its_own_sub_question(engine):
    found = lecture.decompose_and_retrieve(QUERY, corpus=engine, llm_provider=Model([QUERY]))
    assert (list(found), found.fallback_reason) == ([QUERY], None)
    down = lecture.decompose_and_retrieve(QUERY, corpus=engine, llm_provider=Model(""))
    assert (list(down), bool(down.fallback_reason)) == ([QUERY], True)


def test_hyde_searches_the_passage_alone(engine):
    found = lecture.hyde(QUERY, corpus=engine, llm_provider=ScriptedWriter(answers={"hyde": PASSAGES[:1]}))
    (ranking,) = found.result.rankings
    assert (ranking.leg, ranking.query_id, found[0].artifact_id) == ("dense", "hypothetical-1", "guests")


def test_hyde_hybrid_leaves_the_users_words_to_bm25(engine):
    found = lecture.hyde_hybrid(QUERY, corpus=engine, llm_provider=ScriptedWriter(answers={"hyde": PASSAGES[:1]}))
    searched = {(ranking.leg, ranking.query_id) for ranking in found.result.rankings}
    assert searched == {("dense", "hypothetical-1"), ("lexical", "original")}
    assert found.queries == (QUERY, PASSAGES[0])


def test_hyde_avg_is_the_mean_of_the_passages_without_the_query(engine):
    writer = ScriptedWriter(answers={"hyde": PASSAGES})
    found = lecture.hyde_avg(QUERY, corpus=engine, llm_provider=writer)
    assert (writer.asked[0].n, writer.asked[0].temperature) == (3, 0.5)
    assert found.queries == tuple(PASSAGES)
    mean = engine.embedder.encode_document(PASSAGES).mean(axis=0)
    stored = engine.embedder.encode_document(list(TEXTS.values()))
    cosines = stored @ (mean / np.linalg.norm(mean))
    best = max(zip(TEXTS, cosines, strict=True), key=lambda pair: pair[1])
    assert found[0].artifact_id == best[0]
    assert found[0].leg_scores["dense"] == pytest.approx(best[1], abs=1e-5)


def test_hyde_avg_asks_a_function_once_per_passage(engine):
    model = Model(PASSAGES[0])
    assert lecture.hyde_avg(QUERY, n=2, corpus=engine, llm_provider=model).queries == (PASSAGES[0],)
    assert len(model.prompts) == 2


@pytest.mark.parametrize("function", [lecture.hyde, lecture.hyde_avg, lecture.hyde_hybrid, lecture.multi_query])
@pytest.mark.parametrize("provider", [None, Model(OSError("down"))], ids=["no llm", "down"])
def test_a_failure_searches_the_query_itself(engine, function, provider):
    found = function(QUERY, corpus=engine, llm_provider=provider)
    assert found.fallback_reason
    assert found.queries == (QUERY,)
    config = "dense_only" if function in (lecture.hyde, lecture.hyde_avg) else "no_rerank"
    plain = course.query(QUERY, config=config, corpus=engine)
    assert ids(found) == [one["id"] for one in plain["results"]]


def test_the_corpus_writer_works_here_too(engine):
    found = lecture.hyde("sharing a folder with guests", corpus=engine, llm_provider="corpus")
    assert found.fallback_reason is None
    assert found.result.formulation.title == "Feedback passages (Rocchio), in place of HyDE"


@pytest.mark.parametrize(
    ("qtype", "alone"),
    [
        ("mismatch", lecture.hyde_hybrid),
        ("vocab_gap", lecture.multi_query),
        ("multi_hop", lecture.decompose_and_retrieve),
    ],
)
def test_a_kind_of_query_is_routed_to_its_function(engine, qtype, alone):
    found = lecture.route_transform(QUERY, qtype=qtype, corpus=engine, llm_provider=ScriptedWriter())
    assert found == alone(QUERY, corpus=engine, llm_provider=ScriptedWriter())


def test_any_other_kind_is_searched_as_it_is_and_a_follow_up_is_condensed_first(engine):
    plain = lecture.route_transform(QUERY, qtype="whatever", corpus=engine)
    assert plain.queries == (QUERY,)
    writer = ScriptedWriter()
    found = lecture.route_transform(QUERY, HISTORY, "plain", corpus=engine, llm_provider=writer)
    assert found.queries == (GOOD["condense"][0],)
    down = lecture.route_transform(QUERY, HISTORY, "plain", corpus=engine, llm_provider=Model(OSError("down")))
    assert down.queries == (QUERY,)
    assert "OSError" in down.fallback_reason


def test_without_a_kind_the_rules_tell_it(engine):
    writer = ScriptedWriter()
    found = lecture.route_transform("guests", corpus=engine, llm_provider=writer)
    assert [task.name for task in writer.asked] == ["multi_query"]
    assert found.queries[0] == "guests"
