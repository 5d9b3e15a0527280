"""What each query is good for: the list without it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from ir_core.analysis.leave_one_out import LeftOut, leave_one_out
from ir_core.charts.palette import isolated
from ir_core.schema import Hit, SearchResult
from pages._ui import cards, numbers, safe
from pages.compare import wanted
from pages.compare.instruments._flow import flow
from pages.compare.instruments._naming import choose, lines
from pages.compare.running import Asked
from pages.compare.setup import Ready

LABEL = "Without a query"
ORDER = 35
FIGURES = {name: st.column_config.NumberColumn(format="%.3f") for name in ("nDCG with", "nDCG without")}
MEANING = {
    "useless": "useless here: the list stays as it is",
    "changes the list": "changes the list",
    "harmful": "harmful here: the list is better without it",
    "helpful": "helpful here: the list is worse without it",
}
"""Of this one query and this corpus; another may need it."""


def show(ready: Ready, asked: Asked, results: Sequence[SearchResult]) -> None:
    result = results[choose(results, "left_out_of")]
    if result.formulation.skip_reason:
        safe.notice("info", "This query was not searched.", detail=result.formulation.skip_reason)
        return
    judged = wanted.judged(ready, asked.query)
    found = leave_one_out(ready.engine, result, asked.settings, judged)
    if not found:
        why = result.formulation.fallback_reason
        said = "One query alone was searched here, so none can be left out."
        safe.notice("info", said, detail=f"It fell back to the original: {why}" if why else "")
        return
    safe.draw(safe.block(_lead(found, bool(judged), asked.k), "qp-lead", "p"))
    names = [cards.short_id(left.query.id) for left in found]
    lines([(name, MEANING[left.verdict] + _figure(left)) for name, left in zip(names, found, strict=True)])
    safe.table(
        [_row(name, left, judged) for name, left in zip(names, found, strict=True)],
        hide_index=True,
        column_config=FIGURES,
        alt="For each query: what the list would be without it",
    )
    flow(
        [result, *(left.result for left in found)],
        ["all queries", *(f"without {name}" for name in names)],
        asked.k,
        key="chart_left_out",
        expected=st.session_state["expected"],
        relevant=judged,
    )


def _lead(found: Sequence[LeftOut], judged: bool, k: int) -> str:
    parts = ["The same lists joined again with one query fewer: no text was written for it"]
    anew = sum(left.searched for left in found)
    if anew:
        which = "the mean of the other vectors was" if anew == 1 else f"{anew} means of the other vectors were"
        parts.append(f"; {which} never searched, so one batch of searches was made, with vectors already at hand.")
    else:
        parts.append(" and nothing searched.")
    if any(left.query.hop for left in found):
        parts.append(" A later hop keeps the text it was given, though it was written from an earlier one's hits.")
    if not judged:
        parts.append(f" Nobody has judged this query, so whether a change of the first {k} is good is not known.")
    return "".join(parts)


def _figure(left: LeftOut) -> str:
    if left.ndcg is None or left.ndcg_all is None:
        return ""
    if left.verdict in ("useless", "changes the list"):
        return f", nDCG stays {left.ndcg:.3f}"
    return f", nDCG {left.ndcg_all:.3f} with it and {left.ndcg:.3f} without"


def _row(name: str, left: LeftOut, judged: Mapping[str, int]) -> dict[str, object]:
    figures = {"nDCG with": left.ndcg_all, "nDCG without": left.ndcg} if judged else {}
    return {
        "left out": name,
        "verdict": left.verdict,
        **figures,
        "would go": _titles(left.gone),
        "would come": _titles(left.come),
        "would move": numbers.count(left.moved, "document"),
        "searched anew": "yes" if left.searched else "no",
        "query text": left.query.text,
    }


def _titles(hits: Sequence[Hit]) -> str:
    listed = "; ".join(f"{hit.rank}. {isolated(hit.title)}" for hit in hits)
    return f"\u200e{listed}" if listed else "–"  # a cell takes its direction from its first letter: the list's own
