"""What may be called significant: against scipy and by hand, on draws with nothing in them, and with groups."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_core.evaluation.evidence import evidence, holm, randomisation
from ir_core.evaluation.groups import groups_of, groups_of_queries
from ir_core.library import JudgedQuery


def test_holm_steps_down_as_in_his_paper():
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03}) == pytest.approx({"a": 0.03, "b": 0.06, "c": 0.06})
    assert holm({"a": 0.5, "b": 0.9}) == {"a": 1.0, "b": 1.0}
    assert holm({"a": None, "b": 0.02}) == {"a": None, "b": 0.04}
    assert holm({}) == {}


def test_the_randomisation_test_is_exact_where_it_can_be():
    # 2 of the 32 sign patterns are as far from zero as five gains
    assert randomisation(np.array([0.1, 0.2, 0.3, 0.4, 0.5])) == pytest.approx(2 / 32)
    assert randomisation(np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.0, 0.0])) == pytest.approx(2 / 32), "ties add nothing"
    assert randomisation(np.zeros(9)) == 1.0
    assert randomisation(np.array([0.0, 0.7, 0.0])) == 1.0
    assert randomisation(np.array([0.7])) is None


@given(st.lists(st.sampled_from([-0.5, -0.1, 0.0, 0.1, 0.5]), min_size=2, max_size=9))
def test_nothing_hangs_on_the_direction(values):
    one, other = (evidence({"t": [sign * value for value in values]}, resamples=499)["t"] for sign in (1, -1))
    assert one.p == other.p
    assert one.mean == pytest.approx(-other.mean)
    assert {one.verdict, other.verdict} in ({"better", "worse"}, {"equivalent"}, {"no evidence"})


@pytest.mark.parametrize(("n", "ties"), [(10, 0.3), (30, 0.7), (100, 0.9)])
def test_draws_with_nothing_in_them_are_seldom_called_significant(n, ties):
    """The whole table is in docs/evidence.md; here at a size that a binomial bound of 200 draws allows."""
    rng = np.random.default_rng(5)
    draws = rng.normal(size=(200, n)) * (rng.random((200, n)) > ties)
    called = sum(evidence({"t": row}, resamples=199)["t"].verdict in {"better", "worse"} for row in draws)
    assert called <= 20, "5 % of 200 and three standard errors"


def test_a_large_difference_is_significant_and_a_tiny_one_is_equivalent():
    rng = np.random.default_rng(1)
    found = evidence(
        {"gains": 0.2 + 0.1 * rng.normal(size=60), "none": 0.001 * rng.normal(size=60), "noisy": rng.normal(size=60)}
    )
    assert {name: one.verdict for name, one in found.items()} == {
        "gains": "better", "none": "equivalent", "noisy": "no evidence",
    }  # fmt: skip
    assert found["gains"].level == pytest.approx(1 - 0.05 / 3)
    assert found["gains"].low > 0


@pytest.mark.parametrize(("n", "verdict"), [(2, "no evidence"), (29, "no evidence"), (30, "equivalent")])
def test_a_few_ties_show_nothing(n, verdict):
    assert evidence({"t": [0.0] * n})["t"].verdict == verdict


def test_copies_of_a_query_are_one_witness():
    values = [0.3, 0.2, -0.1, 0.4, 0.1, 0.25]
    alone = evidence({"t": values})["t"]
    copies = [value for value in values for _ in range(20)]
    numbers = [number for number in range(6) for _ in range(20)]
    grouped = evidence({"t": copies}, {"t": numbers})["t"]
    assert (grouped.p, grouped.n_groups, grouped.n) == (alone.p, 6, 120)
    assert (grouped.mean, grouped.low, grouped.high) == pytest.approx((alone.mean, alone.low, alone.high))
    assert evidence({"t": copies})["t"].p < alone.p
    with pytest.raises(ValueError, match="cannot have"):
        evidence({"t": values}, {"t": [1, 2]})


def test_a_query_goes_with_what_it_shares_with_the_most_others():
    shared = {"a": ["d1"], "b": ["d2"], "c": ["d3", "d2"], "d": [], "e": ["d3"], "f": ["d2"], "g": ["d4"]}
    assert groups_of(shared) == {"a": 0, "b": 1, "c": 1, "d": 2, "e": 3, "f": 1, "g": 4}


def test_turns_of_a_conversation_are_one_group_whatever_they_are_about():
    first = JudgedQuery("1", "what is a bin")
    later = JudgedQuery("2", "and for guests?", history=({"role": "user", "content": "what is a bin"},))
    other = JudgedQuery("3", "who empties it")
    qrels = {"1": {"a": 1}, "2": {"b": 1}, "3": {"b": 2, "a": 0}}
    assert groups_of_queries([first, later, other], qrels) == {"1": 0, "2": 0, "3": 1}


def test_nothing_at_all_is_no_evidence():
    found = evidence({"t": [], "u": [0.5]})
    assert {(one.verdict, one.p, one.low) for one in found.values()} == {("no evidence", None, None)}
