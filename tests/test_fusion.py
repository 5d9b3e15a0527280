"""Fusion: expected values are written-out sums; whatever comes in, the shares add up to the score."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_core.fusion import FUSIONS, Fused, RankedList, Share, by_score, list_weights
from ir_core.fusion.centroid import Centroid

IDS = [f"d{i:02d}" for i in range(20)]


def ranked(
    query_id: str, artifacts: list[int], *, weight: float = 1.0, leg: str = "dense", scores=None
) -> RankedList:
    rows = np.array(artifacts, dtype=np.int64)
    values = np.array(scores if scores is not None else np.linspace(1, 0.1, len(rows)), dtype=np.float64)
    return RankedList(query_id, leg, weight, rows, rows * 10, values)


def fuse(name: str, lists: list[RankedList], leg_weight: float = 1.0) -> list[Fused]:
    return by_score(FUSIONS.get(name)().shares(lists, leg_weight), IDS)


lists_of_artifacts = st.lists(st.lists(st.integers(0, 19), unique=True, max_size=12), max_size=5)


def test_rrf_is_the_written_out_sum():
    fused = fuse("rrf", [ranked("a", [3, 1, 2]), ranked("b", [1, 4], weight=0.5)])
    assert [item.artifact for item in fused] == [1, 3, 2, 4]
    assert fused[0].score == pytest.approx(1 / (60 + 2) + 0.5 / (60 + 1))
    assert fused[1].score == pytest.approx(1 / (60 + 1))
    assert {(share.query_id, share.rank) for share in fused[0].shares} == {("a", 2), ("b", 1)}


def test_max_gives_the_whole_share_to_the_winning_list():
    fused = fuse("max", [ranked("a", [0, 1], scores=[0.9, 0.2]), ranked("b", [1, 2], scores=[0.95, 0.1])], 0.5)
    assert [item.artifact for item in fused] == [1, 0, 2]
    assert [share.query_id for item in fused for share in item.shares] == ["b", "a", "b"]
    assert fused[0].score == pytest.approx(0.5 / (60 + 1))
    assert fused[2].score == pytest.approx(0.5 / (60 + 3))


@pytest.mark.parametrize("name", ["rrf", "max", "round_robin"])
@pytest.mark.parametrize("lists", [[], [[]], [[], []]])
def test_nothing_in_nothing_out(name, lists):
    assert fuse(name, [ranked(str(i), one) for i, one in enumerate(lists)]) == []


@given(lists_of_artifacts, st.randoms())
def test_rrf_does_not_care_about_the_order_of_the_lists(artifacts, random):
    lists = [ranked(f"q{i}", one) for i, one in enumerate(artifacts)]
    shuffled = list(lists)
    random.shuffle(shuffled)
    assert [(f.artifact, round(f.score, 12)) for f in fuse("rrf", lists)] == [
        (f.artifact, round(f.score, 12)) for f in fuse("rrf", shuffled)
    ]


@pytest.mark.parametrize("name", ["rrf", "max", "round_robin"])
@given(artifacts=lists_of_artifacts)
def test_shares_add_up_and_every_artifact_is_placed_once(name, artifacts):
    fused = fuse(name, [ranked(f"q{i}", one) for i, one in enumerate(artifacts)])
    assert sorted(item.artifact for item in fused) == sorted({a for one in artifacts for a in one})
    for item in fused:
        assert abs(sum(share.share for share in item.shares) - item.score) < 1e-9
    assert all(one.score >= other.score - 1e-6 for one, other in itertools.pairwise(fused))


def test_equal_scores_go_to_the_dense_leg_then_by_id():
    fused = fuse("rrf", [ranked("a", [7]), ranked("b", [2])])
    assert [item.artifact for item in fused] == [2, 7]
    fused = fuse("rrf", [ranked("a", [2], leg="lexical"), ranked("a", [7], leg="dense")])
    assert [item.artifact for item in fused] == [7, 2]


@given(artifacts=lists_of_artifacts, original=st.booleans())
def test_round_robin_keeps_the_originals_first_three(artifacts, original):
    lists = [ranked(f"s{i}", one) for i, one in enumerate(artifacts)]
    if original and lists:
        lists[0] = ranked("original", artifacts[0])
    fused = fuse("round_robin", lists, 0.5)
    assert [item.score for item in fused] == pytest.approx([0.5 / (60 + place) for place in range(1, len(fused) + 1)])
    assert all(len(item.shares) == 1 for item in fused)
    assert sorted(item.artifact for item in fused) == sorted({a for one in artifacts for a in one})
    if original and lists:
        assert [item.artifact for item in fused][: min(3, len(artifacts[0]))] == artifacts[0][:3]


def test_round_robin_takes_turns_after_the_first_three():
    lists = [ranked(q, rows) for q, rows in (("original", [0, 1, 2, 3]), ("s1", [4, 0, 5]), ("s2", [6, 7]))]
    assert [item.artifact for item in fuse("round_robin", lists)] == [0, 1, 2, 4, 6, 3, 5, 7]
    assert [item.artifact for item in fuse("round_robin", lists[1:])] == [4, 6, 0, 7, 5]


def test_weights_of_a_leg_add_up_to_the_legs_whatever_is_asked_in_it():
    rows = [("original", "dense", 1.0), ("v1", "dense", 0.3), ("v2", "dense", 0.3), ("original", "lexical", 1.0)]
    weights = list_weights(rows, {"dense": 1.0, "lexical": 2.0})
    assert sum(w for (_, leg), w in weights.items() if leg == "dense") == pytest.approx(1.0)
    assert weights["original", "lexical"] == pytest.approx(2.0)
    assert weights["v1", "dense"] == pytest.approx(0.3 / 1.6)
    assert list_weights([("a", "dense", 0.0), ("b", "dense", 0.0)], {"dense": 1.0})["a", "dense"] == 0.5


def test_centroid_is_the_renormalised_weighted_mean():
    one, other = np.array([1.0, 0.0], np.float32), np.array([0.0, 1.0], np.float32)
    assert Centroid().mean([one, other], [1.0, 0.5]) == pytest.approx(np.array([1.0, 0.5]) / np.sqrt(1.25))
    assert Centroid().mean([one, -one], [1.0, 1.0]) == pytest.approx(one), "vectors that cancel give the first"
    assert Centroid().mean([one, other], [0.0, 0.0]) == pytest.approx(np.array([1, 1]) / np.sqrt(2))


def test_share_and_fused_are_frozen():
    with pytest.raises(AttributeError):
        Share("q", "dense", 1, 1, 0.5).rank = 2  # type: ignore[misc]
