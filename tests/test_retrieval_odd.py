"""Searches that cannot be made as asked: what is said, and what is searched instead."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ir_core.build import build
from ir_core.errors import BadQuery, BadSetting, EmbedderMismatch, UnknownName
from ir_core.retrieval import Engine, IndexSearcher, SearchSettings, clean_query, default_mode, search
from ir_core.schema import Artifact, Query
from ir_core.strategies import STRATEGY_REGISTRY
from tests.test_retrieval import engine, formulation  # noqa: F401


def test_another_embedder_is_refused_with_the_way_out(engine):  # noqa: F811
    class Other:
        name, fingerprint = "other", "another"

    with pytest.raises(EmbedderMismatch, match=r"hashing.*other.*build the index again"):
        Engine(engine.index, Other())


@pytest.mark.parametrize(
    ("bad", "error"),
    [({"k": 0}, BadSetting), ({"k": 101}, BadSetting), ({"mode": "hybird"}, UnknownName), ({"depth": 2}, BadSetting),
     ({"dense_weight": -1}, BadSetting), ({"dense_weight": 0, "lexical_weight": 0}, BadSetting),
     ({"k": 2.5}, BadSetting), ({"k": True}, BadSetting),
     ({"dense_weight": float("nan")}, BadSetting), ({"lexical_weight": float("inf")}, BadSetting)],
)  # fmt: skip
def test_settings_that_cannot_be_searched_with(bad, error):
    with pytest.raises(error):
        SearchSettings(**bad)


@pytest.mark.parametrize("text", ["", "   ", "\n\x00", "\u200b", "\u200e \ufeff"])
def test_an_empty_query_says_so(text):
    with pytest.raises(BadQuery, match="empty"):
        clean_query(text)


def test_a_long_query_is_cut_between_words_and_says_so():
    text, note = clean_query("wordy " * 2_000)
    assert len(text) <= 2_000
    assert text.split()[-1] == "wordy"
    assert "11,999" in note
    assert len(clean_query("水" * 5_000)[0]) == 2_000


@pytest.mark.parametrize(
    ("text", "of_corpus", "says"),
    [("😀🎉", "en", "no word in it"), ("?!?", None, "no word in it"), ("the of and", "en", "nearly every document"),
     ("من في على", "ar", "nearly every document"), ("من في على", "en", None), ("the lease", "en", None)],
)  # fmt: skip
def test_a_query_with_nothing_to_look_for_says_so(text, of_corpus, says):
    searched, note = clean_query(text, of_corpus)
    assert searched == text
    assert (says in note) if says else note is None


@pytest.mark.parametrize("text", ["😀🎉", "the of and is", "?", "\ud800 lone surrogate", "' OR 1=1 --"])
def test_odd_queries_are_searched(engine, text):  # noqa: F811
    query, _ = clean_query(text)
    result = search(engine, formulation(Query("original", query)), SearchSettings())
    assert len(result.fused.hits) == 5


def test_a_language_the_embedder_does_not_read_is_searched_by_words(engine, minilm):  # noqa: F811
    manifest = replace(engine.index.manifest, language="ar")
    mode, why = default_mode(manifest, minilm)
    assert mode == "lexical"
    assert "the corpus is in Arabic" in why
    assert "reads English" in why
    assert default_mode(replace(manifest, language="en"), minilm) == ("hybrid", None)
    assert default_mode(manifest, engine.embedder) == ("hybrid", None), "hashing reads any"
    english = replace(manifest, language="en")
    assert default_mode(english, minilm, "كيف أستعيد كلمة المرور")[0] == "lexical"
    for query in ("kubernetes ingress controller", "COVID-19 vaccine efficacy trial", "Angelina Jolie divorce 😀"):
        assert default_mode(english, minilm, query) == ("hybrid", None)


def test_feedback_is_not_read_off_vectors_that_are_noise(tmp_path, minilm):
    texts = ["كيف تعيد ضبط كلمة المرور من الإعدادات", "مشاركة المجلد مع الضيوف في المكتب", "دفع الفاتورة بالبطاقة"]
    made = [Artifact(f"a{i}", text) for i, text in enumerate(texts)]
    index = build("arabic", made, STRATEGY_REGISTRY["WholeText"](), minilm, home=tmp_path)
    found = IndexSearcher(Engine(index, minilm), SearchSettings()).search([Query("original", "كلمة المرور")])[0]
    assert [hit.artifact_id for hit in found.hits] == ["a0"], "only the document that holds the words"
    index.close()
