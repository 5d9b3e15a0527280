"""How much each list counts, so that more queries in a leg never shift the balance between the legs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def list_weights(
    lists: Iterable[tuple[str, str, float]], leg_weights: Mapping[str, float]
) -> dict[tuple[str, str], float]:
    """(query id, leg, query weight) to the weight of that list: the weights of a leg add up to the leg's.

    A leg whose query weights are all 0 counts them as equal.
    """
    rows = list(lists)
    totals: dict[str, float] = {}
    counts: dict[str, int] = {}
    for _, leg, weight in rows:
        totals[leg] = totals.get(leg, 0.0) + weight
        counts[leg] = counts.get(leg, 0) + 1
    return {
        (query_id, leg): leg_weights[leg] * (weight / totals[leg] if totals[leg] > 0 else 1 / counts[leg])
        for query_id, leg, weight in rows
    }
