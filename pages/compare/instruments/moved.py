"""What moved: every document's rank under every transform."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ir_core import charts
from ir_core.analysis.rank_flow import Line, rank_lines, said, tally
from ir_core.schema import SearchResult
from pages._ui import numbers, safe
from pages._ui.theme import CHART, PALETTE
from pages.compare import wanted
from pages.compare.instruments._naming import columns, lines, short, state
from pages.compare.running import Asked
from pages.compare.setup import Ready

LABEL = "What moved"
ORDER = 10
WIDTHS = {
    "document": st.column_config.TextColumn(width=300),
    "looked for": st.column_config.TextColumn(width=150),
}
"""Pixels; what says that a document is looked for is never cut."""


def show(ready: Ready, asked: Asked, results: Sequence[SearchResult]) -> None:
    expected, relevant = st.session_state["expected"], wanted.judged(ready, asked.query)
    found = rank_lines(results, asked.k, expected, relevant)
    if not found:
        safe.notice("info", "No transform found anything, so nothing can have moved.")
        return
    looked_for = {*relevant, *([expected] if expected else [])}
    names = columns(results)
    if len(results) == 1:
        safe.notice("info", "Only the original was asked. Choose a transform, and this shows what it moves.")
    else:
        _words(results, names, found, len(looked_for - {line.artifact_id for line in found}), bool(looked_for))
    safe.draw(safe.block(_legend(asked.k, bool(looked_for)), "qp-lead", "p"))
    with st.container(key="wide"):  # the table in it can be reached by keyboard, and moves the chart sideways
        st.plotly_chart(
            charts.rank_flow_figure(results, asked.k, PALETTE, expected, relevant, list(map(short, results))),
            key="chart_moved",
            config=CHART,
            alt=f"Ranks of {len(found)} documents under {len(results)} transforms; the table below says the same",
        )
        safe.table(
            [_row(line, names, bool(looked_for)) for line in found],
            hide_index=True,
            column_config=WIDTHS,
            alt="Rank of each document under each transform; a dash means not retrieved",
        )


def _words(
    results: Sequence[SearchResult], names: Sequence[str], found: Sequence[Line], missing: int, marked: bool
) -> None:
    """One sentence per transform, and what no transform found."""
    sentences = []
    for column, result in enumerate(results[1:], start=1):
        told, why = said(tally(found, column)), state(result)
        sentences.append((names[column], f"{why}: {told}" if why else told))
    lines(sentences)
    if missing:
        which = numbers.count(missing, "looked-for document was", "looked-for documents were")
        safe.draw(safe.block(f"{which} retrieved by no transform.", "qp-facts", "p"))
    if marked:
        said_once = (
            "Saved and lost: looked-for documents that came into the list or left it. New and gone: any other."
        )
        safe.draw(safe.block(said_once, "qp-facts", "p"))


def _legend(k: int, marked: bool) -> str:
    words = (
        "Each line is a document, each column a transform: strong where the document moves, faint where it stays. "
        "A circle was found by the original too, a diamond is new. Under the dashed line: retrieved, but below "
        f"rank {k}. A cross: not retrieved at all."
    )
    return f"{words} Thick and named: a square is judged relevant (gold), a star expected." if marked else words


def _row(line: Line, names: Sequence[str], marked: bool) -> dict[str, str]:
    looked_for = "★ expected" if line.expected else "■ judged relevant" if line.relevant else ""
    ranks = {name: line.words(column) for column, name in enumerate(names)}
    return {"document": line.title, **({"looked for": looked_for} if marked else {}), **ranks}
