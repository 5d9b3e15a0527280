"""Saved, lost, new, gone, moved: what becomes of each document beside the original."""

from __future__ import annotations

from ir_core.analysis.rank_flow import rank_lines, said, tally
from tests.made_results import result

ORIGINAL = result(["a", "b", "c"], below=["g", "d"])
OTHER = result(["b", "g", "a"], below=["e", "c"])


def test_each_document_has_one_word_and_gold_has_its_own():
    lines = rank_lines([ORIGINAL, OTHER], 3, relevant={"g", "c"})
    assert {line.artifact_id: line.change(1) for line in lines} == {
        "a": "moved", "b": "moved", "c": "lost", "g": "saved"
    }  # fmt: skip
    assert said(tally(lines, 1)) == "1 saved, 1 lost, 2 moved"
    unmarked = rank_lines([ORIGINAL, OTHER], 3)
    assert said(tally(unmarked, 1)) == "1 new, 1 gone, 2 moved"
    assert tally(unmarked, 0) == {"saved": 0, "lost": 0, "new": 0, "gone": 0, "moved": 0, "same": 3}
    assert said(tally(unmarked, 0)) == "nothing moved"


def test_below_k_keeps_the_real_rank_and_is_not_among_the_first():
    by_id = {line.artifact_id: line for line in rank_lines([ORIGINAL, OTHER], 3, expected="g")}
    assert by_id["g"].places == (4, 2)
    assert by_id["g"].ranks == (None, 2)
    assert [by_id["g"].words(0), by_id["g"].words(1)] == ["4, below 3", "2, saved"]
    assert by_id["c"].words(1) == "5, below 3, gone"
    assert by_id["a"].words(1) == "3, down 2"
    assert by_id["b"].words(1) == "1, up 1"
    assert "d" not in by_id, "nobody looks for what no transform put among the first k"


def test_a_looked_for_document_has_a_line_wherever_it_was_retrieved():
    lines = rank_lines([ORIGINAL, OTHER], 3, expected="d", relevant={"nowhere"})
    found = {line.artifact_id: line for line in lines}
    assert found["d"].places == (5, None)
    assert found["d"].first is None
    assert found["d"].words(1) == "–"
    assert "nowhere" not in found
