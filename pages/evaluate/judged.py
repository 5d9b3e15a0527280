"""A judge's figures on the leaderboard: the spread on hover, and what they rest on below."""

from __future__ import annotations

from ir_core.evaluation import Column, Evaluation, parse
from ir_core.evaluation.judge_words import spread_words, told
from ir_core.evaluation.measures import JUDGE
from ir_core.evaluation.rating import ratings_of, spread_of
from pages._ui import safe


def hover(measure: str, column: Column) -> str:
    """The attribute that says how far the judge agrees with itself; empty for all other measures."""
    if parse(measure).family != JUDGE:
        return ""
    said = spread_words(spread_of(ratings_of(column.rows))) or "No list was rated more than once"
    return f' title="{safe.text(said)}"'


def facts(found: Evaluation) -> list[str]:
    """Who judged, how far it agrees with itself, and what that took, beside the transforms' cost."""
    return told(found.judging) if found.judging else []
