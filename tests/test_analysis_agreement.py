"""Agreement of rankings: values published by others, written-out sums, and what must hold for any lists."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_core.analysis.agreement import agreement, jaccard, rbo_ext
from ir_core.errors import BadSetting
from tests.made_results import result

rankings = st.lists(st.sampled_from("abcdefghijklmnop"), unique=True, max_size=16)
persistence = st.sampled_from([0.5, 0.8, 0.9, 0.98])


@pytest.mark.parametrize(
    ("one", "other", "p", "expected"),
    [
        ("12345", "23415", 0.9, 0.828),  # the example of rankmeasures, a Scala library
        ("abcdefg", "bacdefg", 0.9, 0.9),  # doctest of dlukes/rbo
        ("abcdefg", "zcavwxy", 0.9, 0.28821728571428573),  # the lists of the paper's figure 5; value of rbo 0.1.3
        ("abcdefghij", "cb", 0.9, 0.5752842434357144),  # uneven; rbo 0.1.3
        ("abc", "abcdefg", 0.98, 1.0),  # a prefix agrees as far as it goes
    ],
)
def test_rbo_gives_what_other_implementations_give(one, other, p, expected):
    assert rbo_ext(one, other, p) == pytest.approx(expected, abs=1e-12)


def test_rbo_is_equation_32_written_out():
    """S = ba, L = abc, p = .5: overlaps 0, 2, 2; s = 2, l = 3."""
    seen = 0 / 1 * 0.5 + 2 / 2 * 0.25 + 2 / 3 * 0.125
    unseen = 2 * (3 - 2) / (2 * 3) * 0.125
    assert rbo_ext("abc", "ba", 0.5) == pytest.approx(1.0 * (seen + unseen) + (0 / 3 + 2 / 2) * 0.125)


@given(rankings, rankings, persistence)
def test_rbo_is_symmetric_bounded_and_knows_equal_and_disjoint_lists(one, other, p):
    value = rbo_ext(one, other, p)
    assert value == rbo_ext(other, one, p)
    if not one and not other:
        assert value is None
        return
    assert 0 <= value <= 1
    if not set(one) & set(other):
        assert value == 0
    if one:
        assert rbo_ext(one, one, p) == pytest.approx(1)


@pytest.mark.parametrize("p", [0, 1, -0.1, 1.5, float("nan")])
def test_a_p_that_is_no_probability_is_refused_with_a_way_out(p):
    with pytest.raises(BadSetting, match="between 0 and 1"):
        rbo_ext("ab", "ba", p)


def test_jaccard_counts_documents_and_not_places():
    assert jaccard("abc", "cab") == 1
    assert jaccard("abc", "bcd") == 2 / 4
    assert jaccard("ab", "") == 0
    assert jaccard("", "") is None


def test_every_pair_is_compared_over_the_first_k_and_over_the_whole_depth():
    one, other = result(["a", "b"], below=["c"]), result(["a", "c"], below=["b"])
    found = agreement([one, other], k=2, p=0.8)
    assert found.jaccard == ((1, 1 / 3), (1 / 3, 1))
    assert found.rbo[0][1] == found.rbo[1][0] == rbo_ext("abc", "acb", 0.8)
    assert found.depths == (3, 3)


def test_what_was_not_searched_is_unknown_and_never_0():
    found = agreement([result(["a"]), result([], skip_reason="small talk"), result([])], k=5)
    assert found.jaccard[1] == found.rbo[1] == (None, None, None)
    assert found.jaccard[0][2] == found.rbo[0][2] == 0, "it was searched and found nothing"
    assert found.jaccard[2][2] is None
