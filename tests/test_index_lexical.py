"""The lexical leg against the rank-bm25 package, whose scores it promises to equal."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from ir_core.index.lexical import Lexical

WORDS = st.sampled_from([f"w{number}" for number in range(12)])
CORPUS = st.lists(st.lists(WORDS, max_size=9), min_size=1, max_size=14)


def built(corpus, k1=1.5, b=0.75):
    return Lexical.build(corpus, k1=k1, b=b)


def ranked(lexical, bag, n=10, allowed=None):
    order = np.arange(lexical.n, dtype=np.int32)
    [(rows, scores)] = lexical.search([bag], n, order, allowed)
    return rows.tolist(), scores.tolist()


@given(corpus=CORPUS, query=st.lists(WORDS, max_size=6), k1=st.floats(0.1, 3), b=st.floats(0, 0.99))
@settings(max_examples=150, deadline=None)
def test_scores_equal_rank_bm25(corpus, query, k1, b):
    assume(any(corpus))
    reference = BM25Okapi(corpus, k1=k1, b=b)
    assume(abs(reference.average_idf) > 1e-9)
    ours = built(corpus, k1, b)
    assert ours.idf == ("okapi" if reference.average_idf > 0 else "log1p")
    assume(ours.idf == "okapi")
    assert np.abs(ours.scores(Counter(query)) - reference.get_scores(query)).max() < 1e-9


@pytest.mark.parametrize(("k1", "b"), [(1.5, 0.75), (0.9, 0.4), (3.0, 0.0)])
def test_scores_equal_rank_bm25_where_common_words_get_the_floor(k1, b):
    rng = np.random.default_rng(8)
    corpus = [[f"w{word}" for word in rng.zipf(1.3, size=rng.integers(0, 60)) if word < 3_000] for _ in range(500)]
    reference, ours = BM25Okapi(corpus, k1=k1, b=b), built(corpus, k1, b)
    assert any(np.isclose(idf, 0.25 * reference.average_idf) for idf in reference.idf.values())
    for query in (["w1"], ["w1", "w2", "w9", "w1"], ["w700", "absent", "w3"], corpus[0] * 2):
        assert np.abs(ours.scores(Counter(query)) - reference.get_scores(query)).max() < 1e-9


def test_a_weighted_bag_adds_up_its_words():
    lexical = built([["a", "b"], ["b", "c", "c"], ["d"], ["e"], ["f"]])
    weighted = lexical.scores({"b": 0.25, "c": 2.0})
    assert weighted == pytest.approx(0.25 * lexical.scores({"b": 1}) + 2 * lexical.scores({"c": 1}))


def test_where_okapi_would_rank_matches_last_the_idf_is_positive():
    lexical = built([["tea", "cup"], ["tea"]])
    # df of tea 2, of cup 1, N 2: Okapi's IDFs are log(.5) - log(2.5) and 0.
    assert lexical.idf == "log1p"
    tf = 1 * 2.5 / (1 + 1.5 * (1 - 0.75 + 0.75 * 1 / 1.5))
    assert lexical.scores({"tea": 1})[1] == pytest.approx(np.log(1 + (2 - 2 + 0.5) / (2 + 0.5)) * tf)


def test_a_row_matches_when_it_holds_a_word_whatever_its_score():
    corpus = [["half", "one"], ["half", "two"], ["three"], ["four"]]
    lexical = built(corpus)
    assert lexical.scores({"half": 1}).max() == 0  # in half of the rows Okapi's IDF is log(1)
    assert ranked(lexical, {"half": 1}) == ([0, 1], [0.0, 0.0])
    assert ranked(lexical, {"half": 0.0, "absent": 3.0}) == ([], [])


def test_settings_at_their_ends_give_no_score_that_is_no_number():
    for k1, b in ((0.0, 0.5), (1.5, 1.0)):  # rank-bm25 divides 0 by 0 for rows without the word
        assert np.isfinite(built([["a"], [], ["b"], ["c", "d"]], k1, b).weights).all()


@pytest.mark.parametrize("corpus", [[], [[]], [[], []]])
def test_nothing_to_count_is_nothing_found(corpus):
    lexical = built(corpus)
    assert ranked(lexical, {"a": 1}) == ([], [])
    assert lexical.document_frequency("a") == lexical.collection_frequency("a") == 0


def test_frequencies():
    lexical = built([["a", "a", "b"], ["a"], []])
    assert set(lexical.vocabulary) == {"a", "b"}
    assert lexical.document_frequency("a") == 2
    assert lexical.collection_frequency("a") == 3


def test_the_best_rows_equal_a_full_sort_and_ties_go_by_order():
    rng = np.random.default_rng(5)
    corpus = [[f"w{word}" for word in rng.zipf(1.4, size=12) if word < 40] for _ in range(600)]
    lexical = built(corpus)
    order = rng.permutation(600).astype(np.int32)
    allowed = rng.random(600) < 0.7
    bag = {"w1": 1.0, "w2": 2.0, "w5": 0.5}
    scores = lexical.scores(bag)
    holds = [row for row, words in enumerate(corpus) if allowed[row] and set(words) & set(bag)]
    expected = sorted(holds, key=lambda row: (-round(scores[row], 6), order[row]))
    for n in (0, 1, 7, 100, 600):
        [(rows, found)] = lexical.search([bag], n, order, allowed)
        assert rows.tolist() == expected[:n]
        assert found.tolist() == scores[expected[:n]].tolist()


def test_a_saved_one_answers_the_same(tmp_path):
    lexical = built([["مرحبا", "b"], ["b", "c\ud800"], ["d"]])
    lexical.save(tmp_path / "lexical")
    again = Lexical.load(tmp_path / "lexical")
    assert again.vocabulary == lexical.vocabulary
    assert again.idf == lexical.idf
    for word in lexical.vocabulary:
        assert ranked(again, {word: 1}) == ranked(lexical, {word: 1})
        assert again.collection_frequency(word) == lexical.collection_frequency(word)


def test_lucenes_idf_holds_whatever_the_mean():
    counted = [["a", "b"], ["a", "c"], ["a"], ["d"]]
    lexical = Lexical.build(counted, k1=1.5, b=0.75, idf="log1p")
    assert lexical.idf == "log1p"
    a, rare = lexical.scores({"a": 1.0}), lexical.scores({"d": 1.0})
    length = 1.5 * (1 - 0.75 + 0.75 * 1 / 1.5)
    assert rare[3] == pytest.approx(np.log1p((4 - 1 + 0.5) / 1.5) * 2.5 / (1 + length))
    assert 0 < a[2] < rare[3]
