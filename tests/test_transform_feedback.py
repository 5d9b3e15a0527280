"""RM3 and Rocchio against their formulas, written out; and Rocchio against HyDE's feedback passages."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import numpy as np
import pytest

from ir_core.retrieval import SearchSettings
from ir_core.retrieval.searching import search
from ir_core.schema import MODE_LEGS
from ir_core.text import stopwords, tokenise
from ir_core.transforms.rm3 import interpolated, relevance_model
from ir_core.transforms.rocchio import moved
from ir_core.writers.corpus import CorpusWriter
from ir_core.writers.corpus.hyde import BETA, DOCUMENTS
from tests.transforming import QUERY, engine, run


def test_the_relevance_model_is_a_mean_of_word_shares_by_score():
    found = relevance_model([(["key", "key", "lock", "the"], 3.0), (["lock", "door", "7"], 1.0)], {"the"})
    assert found == pytest.approx(
        {"key": (2 / 3) * (3 / 4), "lock": (1 / 3) * (3 / 4) + (1 / 2) * (1 / 4), "door": (1 / 2) * (1 / 4)}
    )


def test_rm3_mixes_two_distributions():
    found = interpolated(["lost", "key", "lost"], {"key": 0.6, "lock": 0.2}, 0.5)
    assert found == pytest.approx(
        {"lost": 0.5 * (2 / 3), "key": 0.5 * (1 / 3) + 0.5 * (0.6 / 0.8), "lock": 0.5 * (0.2 / 0.8)}
    )
    assert interpolated(["lost"], {"key": 1.0}, 1.0) == {"lost": 1.0}


def test_rm3_is_what_a_term_by_document_matrix_gives():
    made = run("rm3", original_weight=0.5, fb_docs=3, fb_terms=4)
    hits = made.steps[0].rankings[0].hits[:3]
    added = made.queries[1].text.split(", ")
    vocabulary = sorted({word for hit in hits for word in tokenise(hit.text) if word.isalpha()})
    bag = made.queries[1].term_weights
    assert len(added) == 4
    assert set(added) <= set(vocabulary)
    counts = np.array([[tokenise(hit.text).count(word) for word in vocabulary] for hit in hits], dtype=float)
    counts[:, [word in stopwords("en") or len(word) < 2 for word in vocabulary]] = 0
    scores = np.array([hit.score for hit in hits])
    model = scores @ (counts / counts.sum(axis=1, keepdims=True)) / scores.sum()
    best = sorted(zip(-model.round(12), vocabulary, strict=True))[:4]
    total = -sum(score for score, _ in best)
    expected = {word: -score / total / 2 for score, word in best}
    for word, count in Counter(tokenise(QUERY)).items():
        expected[word] = expected.get(word, 0.0) + count / len(tokenise(QUERY)) / 2
    assert bag == pytest.approx(expected, abs=1e-9)
    assert {query.role: query.legs for query in made.queries} == {"original": ("dense",), "expansion": ("lexical",)}


def test_rocchios_bag_adds_the_mean_of_unit_vectors():
    found, added = moved(["lost", "key"], [["key", "key", "lock"], ["door"]], 0.5, set())
    assert added == ("door", "key", "lock")
    assert found == pytest.approx(
        {
            "lost": 1 / sqrt(2),
            "key": 1 / sqrt(2) + 0.5 * (2 / sqrt(5)) / 2,
            "lock": 0.5 * (1 / sqrt(5)) / 2,
            "door": 0.5 * 1 / 2,
        }
    )


@pytest.mark.parametrize("mode", list(MODE_LEGS))
def test_rocchio_ranks_as_hyde_with_feedback_passages_does(mode):
    settings = SearchSettings(k=6, mode=mode)
    ours = search(engine(), run("rocchio", beta=BETA, fb_docs=DOCUMENTS), settings)
    hyde = search(engine(), run("hyde", CorpusWriter(engine().index)), settings)
    assert [(hit.artifact_id, hit.score) for hit in ours.fused.hits] == [
        (hit.artifact_id, hit.score) for hit in hyde.fused.hits
    ]
    assert ours.formulation.queries[1].surface_ids == hyde.formulation.queries[1].surface_ids


def test_rocchios_bag_goes_to_bm25_only_where_it_is_asked_for():
    assert [query.role for query in run("rocchio").queries] == ["original", "feedback"]
    roles = {query.role: query.legs for query in run("rocchio", lexical="bag").queries}
    assert roles == {"original": ("dense",), "feedback": ("dense",), "expansion": ("lexical",)}


@pytest.mark.parametrize("name", ["rm3", "rocchio", "grounded"])
def test_what_a_query_without_words_finds_is_no_feedback(name):
    made = run(name, query="🙂🙂 !?")
    assert made.queries == (made.original,)
    assert made.fallback_reason.startswith("The query has no word in it")
    assert made.steps == ()


@pytest.mark.parametrize("name", ["rm3", "rocchio"])
def test_feedback_needs_no_writer_and_says_where_it_reads(name):
    made = run(name)
    assert made.calls == ()
    assert "plain hybrid search" in made.notes[1]
    assert len(made.steps) == 1
