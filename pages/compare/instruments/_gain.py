"""What each transform brought for what it took, where the query has judgements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ir_core.analysis.gain import Gain, gains
from ir_core.schema import SearchResult
from pages._ui import numbers, safe


def show(results: Sequence[SearchResult], judged: Mapping[str, int], k: int) -> None:
    safe.heading("What it brought for that", 3)
    if not judged:
        safe.notice("info", "Nobody has judged this query, so what a transform brought cannot be said.")
        return
    found = gains(results, judged, k)
    if not found:
        safe.notice("info", "The original was not searched, so there is nothing to measure against.")
        return
    safe.table(
        [_row(number, one, k) for number, one in enumerate(found)],
        hide_index=True,
        alt=f"nDCG and recall at {k} of each transform against the original, per call, second and dollar",
    )
    said = (
        "Gains are of nDCG, for this one query. Seconds and dollars are those beyond the original’s; a kept text "
        "counts at what it took the first time. What was free has no gain per dollar."
    )
    safe.draw(safe.block(said, "qp-facts", "p"))


def _row(number: int, one: Gain, k: int) -> dict[str, object]:
    first = number == 0
    return {
        "transform": f"{number + 1}. {one.title}",
        f"nDCG@{k}": f"{one.ndcg:.3f}",
        f"recall@{k}": f"{one.recall:.3f}",
        "nDCG gained": "baseline" if first else f"{one.d_ndcg:+.3f}",
        "recall gained": "baseline" if first else f"{one.d_recall:+.3f}",
        "per call": "–" if one.per_call is None else f"{one.per_call:+.3f}",
        "per second": "–" if first else _per_second(one),
        "per dollar": "–" if first else _per_dollar(one),
    }


def _per_second(one: Gain) -> str:
    if one.per_second is not None:
        return f"{one.per_second:+,.2f}"
    return numbers.UNKNOWN if one.seconds is None else "took no longer"


def _per_dollar(one: Gain) -> str:
    if one.per_dollar is not None:
        return f"{one.per_dollar:+,.1f}"
    return "free" if one.is_free else numbers.UNKNOWN
