"""The conversation before a query, taken out of a comparison that leaves this machine without consent to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ir_core.export.comparison import Comparison
from ir_core.schema import SearchResult

SHORTEST = 3
"""Words of a turn that is no coincidence where it stands in a text."""
LEFT_OUT = "history_left_out"
"""In ``Comparison.config``: how many turns there were."""


def without_history(comparison: Comparison) -> Comparison:
    """The same without its turns, and without the columns that hold a turn word for word (the turns joined, a chain
    that begins so, a reply that quotes them); the number of turns stays. What a writer made of them in its own words
    stays, too. One without a history comes back as it is."""
    turns = comparison.config.get("history") or ()
    if not turns:
        return comparison
    asked = _plain(comparison.query)
    texts = [_plain(turn["content"]) for turn in turns]
    said = [text for text in texts if len(text.split()) >= SHORTEST and text not in asked]
    first, *others = comparison.results
    kept = (first, *(one for one in others if not _quotes(one, said)))
    names = {one.formulation.transform for one in others} - {one.formulation.transform for one in kept}
    config = dict(comparison.config)
    config |= {
        "history": [],
        LEFT_OUT: len(turns),
        "transforms": [one for one in config.get("transforms") or () if one["name"] not in names],
    }
    return replace(comparison, config=config, results=kept)


def left_out_words(config: Mapping[str, Any]) -> str | None:
    """Says that turns are missing; None where none are."""
    turns = config.get(LEFT_OUT) or 0
    if not turns:
        return None
    which = "1 turn" if turns == 1 else f"{turns} turns"
    return f"The conversation before the query ({which}) was left out, and so was any column that quotes it."


def _quotes(result: SearchResult, said: Sequence[str]) -> bool:
    made = result.formulation
    queries = [*made.queries, *result.derived, *(query for step in made.steps for query in step.queries)]
    if any(query.role == "joined" for query in queries):
        return True
    texts = [query.text for query in queries]
    texts += [text for call in made.calls for text in (call.raw, *call.texts)]
    return any(turn in _plain(text) for turn in said for text in texts)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
