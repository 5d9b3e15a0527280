"""The kinds of query that are told apart; the sample corpora's judged queries carry them as ``category``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import regex

from ir_core.library import JudgedQuery
from ir_core.router.decision import Labelled
from ir_core.text import normalise

LABELS: Mapping[str, str] = {
    "simple": "asks for one thing, in the words of the documents",
    "ambiguous_short": "one or two words, or so short that it may mean several things",
    "vocabulary": "asks for one thing in everyday words that the documents do not use",
    "broad": "asks about a whole area, to which many documents belong",
    "narrow_technical": "names an exact code, error number, section or setting",
    "multi_hop": "needs several facts put together, or compares things",
    "follow_up": "cannot be understood without what was said before",
    "small_talk": "a greeting, thanks or farewell that asks for nothing",
}
"""Name to what it means, in the order in which they are shown."""
TITLES: Mapping[str, str] = {
    "simple": "simple",
    "ambiguous_short": "ambiguous or short",
    "vocabulary": "vocabulary mismatch",
    "broad": "broad",
    "narrow_technical": "narrow technical",
    "multi_hop": "multi-hop",
    "follow_up": "follow-up",
    "small_talk": "small talk",
}
APART = ("follow_up", "small_talk")
"""Told by the conversation and by set phrases: they are reported apart from the six others."""
_MARKS = regex.compile(r"[^\p{L}\p{N}]+")


def label_named(text: str) -> str | None:
    """The label of that name or title; capitals, hyphens and marks around it make no difference. None for any
    other text."""
    plain = _plain(text)
    return next((name for name in LABELS if plain in {_plain(name), _plain(TITLES[name])}), None)


def labelled(queries: Iterable[JudgedQuery], split: str = "tune") -> tuple[Labelled, ...]:
    """The queries of that split whose category is a label. Figures are reported on "test": examples come from
    "tune"."""
    return tuple(
        Labelled(q.text, q.category) for q in queries if q.split == split and q.category and q.category in LABELS
    )


def _plain(text: str) -> str:
    return _MARKS.sub("_", normalise(text)).strip("_")
