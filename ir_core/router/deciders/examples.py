"""The nearest labelled queries vote (k-nearest neighbours, Cover and Hart 1967), so a user's own labels teach it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from ir_core.params import param
from ir_core.protocols import Timer
from ir_core.router.deciders.rules import Rules
from ir_core.router.decision import Context, Decision, Labelled, Reason
from ir_core.schema import Query, Turn
from ir_core.text import normalise


@dataclass(frozen=True)
class Examples:
    """A text equal to the query is never among its own examples; "follow-up" votes only where something was said
    before."""

    name: ClassVar[str] = "examples"
    label: ClassVar[str] = "Examples"
    summary: ClassVar[str] = "The nearest labelled queries in embedding space vote; every label you correct is one."
    reference: ClassVar[str] = "Cover and Hart, Nearest Neighbor Pattern Classification, 1967"
    order: ClassVar[int] = 2
    needs_writer: ClassVar[bool] = False
    needs_examples: ClassVar[bool] = True

    k: int = param(7, label="Neighbours", low=1, high=25, help="How many labelled queries vote.")

    def decide(self, query: str, history: Sequence[Turn], context: Context) -> Decision:
        """See ``Decider``. ``confidence`` is the label's share of the votes, each weighed by its cosine."""
        timer = Timer()
        usable = _usable(query, history, context.examples)
        if not usable:
            decided = Rules().decide(query, history, context)
            reason = "Rules decided: there is no labelled query to compare with. Label some."
            return replace(decided, seconds=timer.seconds, fallback_reason=reason)
        found = _nearest(query, usable, self.k, context)
        votes: dict[str, float] = {}
        for cosine, one in found:
            votes[one.label] = votes.get(one.label, 0.0) + max(0.0, cosine)
        order = [one.label for _, one in found]
        best = max(votes, key=lambda label: (votes[label], -order.index(label)))
        total = sum(votes.values())
        reasons = [Reason(f"like “{one.text}”", round(cosine, 3), one.label) for cosine, one in found]
        reasons.sort(key=lambda reason: reason.label != best)
        share = votes[best] / total if total > 0 else None
        return Decision(
            best, self.name, tuple(reasons), share, None if share is None else "measured", seconds=timer.seconds
        )


def _usable(query: str, history: Sequence[Turn], examples: Sequence[Labelled]) -> list[Labelled]:
    """The later label of a text holds: it is the corrected one."""
    asked = _plain(query)
    said = any(turn.get("content", "").strip() for turn in history)
    latest = {_plain(one.text): one for one in examples}
    return [one for text, one in latest.items() if text != asked and (said or one.label != "follow_up")]


def _nearest(query: str, examples: Sequence[Labelled], k: int, context: Context) -> list[tuple[float, Labelled]]:
    """The k nearest, best first: cosine and example."""
    asked = [Query("asked", query), *(Query(f"example-{n}", one.text) for n, one in enumerate(examples))]
    encoded = context.engine.encode(asked).vectors
    vectors = np.stack([encoded["query", one.text] for one in asked])
    cosines = vectors[1:] @ vectors[0]
    order = np.argsort(-cosines, kind="stable")[:k]
    return [(float(cosines[n]), examples[n]) for n in order]


def _plain(text: str) -> str:
    return " ".join(normalise(text).split()).rstrip("?.!؟ ")
