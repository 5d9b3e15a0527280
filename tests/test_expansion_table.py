"""The page on expansion: a row for every leg that a way changes, and every way is one that exists."""

from __future__ import annotations

import pytest

from ir_core.evaluation import Column, Evaluation, Row
from ir_core.transforms import TRANSFORMS
from scripts._expansion_text import page
from scripts._table_text import Section
from scripts.expansion_table import MEASURES, NO_LLM, RECORDED, _slug


def column(label: str, *values: float, failed: int = 0) -> Column:
    rows = tuple(
        Row(f"q{i}", "text", None, dict.fromkeys(MEASURES, value), fallback_reason="no" if i < failed else None)
        for i, value in enumerate(values)
    )
    return Column(label, label, {}, rows)


def test_a_leg_in_which_nothing_changes_has_no_row():
    original, better = column("original", *[0.2] * 9), column("RM3", *[0.3] * 9, failed=2)
    legs = {"dense": (original, column("RM3", *[0.2] * 9)), "lexical": (original, better)}
    text = page([Section("s", leg, Evaluation(MEASURES, columns)) for leg, columns in legs.items()], "test")
    rows = [line for line in text.splitlines() if line.startswith("|")][2:]
    assert [row.split(" | ")[:2] for row in rows] == [
        ["| original", "dense"],
        ["| original", "BM25"],
        ["| RM3", "BM25"],
    ]
    assert "**+0.100 [+0.100, +0.100]**" in rows[2]
    assert rows[2].endswith("| 9 / 0 / 0 | 9 | 2 |")


@pytest.mark.parametrize("way", [*NO_LLM, *RECORDED], ids=lambda way: way.label)
def test_every_way_can_be_made(way):
    made = TRANSFORMS.make(way.transform, way.settings)
    assert way.task in {"", *(task.name for task in made.tasks("q", ()))}


def test_no_two_ways_share_a_file():
    names = [_slug(way) for way in (*NO_LLM, *RECORDED)]
    assert len(set(names)) == len(names)
