"""Documents that stand in the lists of many queries that ask for something else."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ir_core.analysis.health._material import K, Material
from ir_core.analysis.health._types import Example, Found, Unmeasured, by_share, first, plural
from ir_core.params import param
from ir_core.text import quoted

FEWEST = 20
"""Queries; of fewer nothing can be said."""
CHANCE = 0.01
"""That, if documents were drawn at random, any of them would stand in as many lists (Bonferroni)."""


@dataclass(frozen=True)
class Hubs:
    """A hub stands among the first 10 of at least ``share`` of the queries, of ``times`` as many as an even spread
    would give it, and of more than chance gives any document. Queries for which it is judged relevant do not count:
    there it is in its place."""

    name: ClassVar[str] = "hubs"
    label: ClassVar[str] = "Hubs"
    summary: ClassVar[str] = (
        "Documents among the first 10 (fewer of a small corpus) of many queries, where nobody judged them relevant."
    )
    reference: ClassVar[str] = "Radovanović, Nanopoulos and Ivanović 2010, Hubs in space"
    effect: ClassVar[str] = "A hub takes a place of every list, and what is asked for is pushed down, or out of k."
    change: ClassVar[str] = (
        "Look at its text: split one that names everything (an overview, a list of links) with the strategy Chunked, "
        "cut boilerplate out of it, or leave it out by a filter field."
    )
    setting: ClassVar[str] = "strategy"
    order: ClassVar[int] = 90

    share: float = param(0.1, help="Of the queries, this share at least.", low=0.01, high=1.0)
    times: float = param(3.0, help="Times an even share.", low=1.0)

    def look(self, material: Material) -> Found | None:
        results = material.results
        if len(results) < FEWEST:
            raise Unmeasured(f"Not measured: {len(results)} queries are too few to tell a hub from chance.")
        n_documents = sum(1 for rows in material.rows_by_document if rows)
        k = min(K, int(n_documents / (2 * self.times)))  # of more, a hub could not have ``times`` an even share
        if not k:
            raise Unmeasured(f"Not measured: of {n_documents} documents each stands in many lists.")
        stands: Counter[str] = Counter()
        in_place: Counter[str] = Counter()
        for query, result in results.items():
            for hit in result.fused.hits[:k]:
                judged = material.qrels.get(query, {}).get(hit.artifact_id, 0) > 0
                (in_place if judged else stands)[hit.artifact_id] += 1
        even = len(results) * k / n_documents
        chance = most_by_chance(len(results), k / n_documents, n_documents)
        needed = max(self.share * len(results), self.times * even, chance)
        hubs = [(name, count) for name, count in stands.most_common() if count >= needed]
        if not hubs:
            return None
        numbers = {name: number for number, name in enumerate(material.index.artifact_ids)}
        rows = [row for name, _ in hubs for row in material.rows_by_document[numbers[name]]]
        return Found(
            severity=by_share(hubs[0][1] / len(results), 0.33, 0.66),
            count=len(hubs),
            said=(
                f"{plural(len(hubs), 'document stands', 'documents stand')} among the first {k} of "
                f"{hubs[0][1]:,} {'' if len(hubs) == 1 else 'to ' + format(hubs[-1][1], ',') + ' '}of "
                f"{material.asked}; spread evenly, each would stand in {even:.1f}."
            ),
            examples=first(
                Example(
                    (name,),
                    f"in {count:,} lists, {count / even:.1f} times an even share"
                    + (f"; and in {in_place[name]:,} more where it is judged relevant" if in_place[name] else ""),
                    quoted(material.beginning_of(numbers[name]), 160),
                )
                for name, count in hubs
            ),
            rows=tuple(rows),
            documents=tuple(name for name, _ in hubs),
        )


def most_by_chance(draws: int, share: float, documents: int) -> int:
    """The lists that, drawn evenly, some document would stand in with a probability below ``CHANCE``."""
    from scipy.stats import binom

    counts = np.arange(draws + 2)
    unlikely = binom.sf(counts - 1, draws, min(1.0, share)) * documents < CHANCE
    return int(counts[unlikely][0])
