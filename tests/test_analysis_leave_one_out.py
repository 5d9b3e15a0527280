"""Leaving a query out equals never having asked it, for every way of joining lists."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ir_core.analysis.leave_one_out import leave_one_out
from ir_core.fusion import FUSIONS
from ir_core.retrieval import SearchSettings, search
from ir_core.schema import LEGS, Formulation, Query
from tests.test_retrieval import TOPICS, engine  # noqa: F401  (a fixture)

ORIGINAL = Query("original", "reset my password")
VARIANTS = [Query(f"v{number}", text, "variant") for number, text in enumerate(TOPICS)]


def made(queries, combine=None) -> Formulation:
    return Formulation("t", "T", ORIGINAL, tuple(queries), combine=combine or {})


def ids(result) -> list[tuple[str, str, float]]:
    hits = (*result.fused.hits, *result.below)
    return [(hit.artifact_id, hit.surface_id, round(hit.score, 9)) for hit in hits]


legs = st.sampled_from([LEGS, ("dense",), ("lexical",)])
weights = st.sampled_from([0.0, 0.5, 1.0, 3.0])
asked = st.lists(st.tuples(st.sampled_from(VARIANTS), legs, weights), max_size=4, unique_by=lambda one: one[0].id)


@pytest.mark.parametrize("combine", FUSIONS.names())
@given(asked=asked, mode=st.sampled_from(["dense", "lexical", "hybrid"]), with_original=st.booleans())
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_it_is_the_list_of_the_remaining_queries_searched_from_scratch(engine, combine, asked, mode, with_original):  # noqa: F811
    how = SearchSettings(mode=mode, k=4, dense_weight=2.0)
    queries = [replace(query, legs=legs, weight=weight) for query, legs, weight in asked]
    queries = [ORIGINAL, *queries] if with_original else queries
    inside = {"dense": combine, "lexical": "rrf" if combine == "centroid" else combine}
    result = search(engine, made(queries, inside), how)
    for left in leave_one_out(engine, result, how):
        scratch = search(engine, made([q for q in queries if q.id != left.query.id], inside), how)
        assert ids(left.result) == ids(scratch)
        assert left.result.fingerprint == scratch.fingerprint
        assert len(left.result.fused.hits) <= how.k
        before, after = ([hit.artifact_id for hit in one.fused.hits] for one in (result, left.result))
        assert (left.verdict == "useless") == (before == after)
        assert {hit.artifact_id for hit in left.gone} == set(before) - set(after)
        assert {hit.artifact_id for hit in left.come} == set(after) - set(before)


def test_a_query_that_found_the_gold_is_helpful_and_one_that_pushed_it_out_harmful(engine):  # noqa: F811
    how = SearchSettings(mode="lexical", k=3)
    queries = [ORIGINAL, Query("v1", "invoice and billing address", "variant", 5.0)]
    result = search(engine, made(queries), how)
    alone = {q.id: search(engine, made([q]), how).fused.hits[0].artifact_id for q in queries}
    by_id = {left.query.id: left for left in leave_one_out(engine, result, how, {alone["v1"]: 1})}
    assert by_id["v1"].verdict == "helpful"
    assert by_id["v1"].ndcg < by_id["v1"].ndcg_all
    by_id = {left.query.id: left for left in leave_one_out(engine, result, how, {alone["original"]: 1})}
    assert by_id["v1"].verdict == "harmful"
    assert {left.ndcg for left in leave_one_out(engine, result, how)} == {None}, "no judgements, no figure"


def test_the_same_words_twice_are_useless_and_a_mean_vector_says_that_it_was_searched(engine):  # noqa: F811
    how = SearchSettings(k=5)
    twice = search(engine, made([ORIGINAL, replace(ORIGINAL, id="v1", role="variant")]), how)
    left = leave_one_out(engine, twice, how)
    assert [one.verdict for one in left] == ["useless", "useless"]
    assert not any(one.searched for one in left)
    passage = Query("h1", "To reset it open the page.", "hypothetical", legs=("dense",))
    mean = search(engine, made([ORIGINAL, passage], {"dense": "centroid"}), how)
    assert [one.searched for one in leave_one_out(engine, mean, how)] == [True, True]


def test_nothing_is_searched_or_encoded_where_the_lists_are_there(engine, monkeypatch):  # noqa: F811
    how = SearchSettings(k=5)
    result = search(engine, made([ORIGINAL, *VARIANTS[:3]]), how)

    def never(*_, **__):
        raise AssertionError("searched")

    for name in ("dense", "lexical"):
        monkeypatch.setattr(engine.index, name, never)
    assert len(leave_one_out(engine, result, how)) == 4


def test_one_query_alone_or_a_skipped_one_has_nothing_to_leave_out(engine):  # noqa: F811
    how = SearchSettings()
    assert leave_one_out(engine, search(engine, made([ORIGINAL]), how), how) == []
    skipped = replace(made([ORIGINAL, VARIANTS[0]]), skip_reason="small talk")
    assert leave_one_out(engine, search(engine, skipped, how), how) == []
