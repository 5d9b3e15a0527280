"""What is judged of the query that was asked: how many documents, its category, and the way back."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ir_core.library import sets
from pages._ui import numbers, resources, safe
from pages.compare import marking
from pages.compare.setup import Ready

NOTHING = "Nobody judged this query yet. Open a passage and mark it right or wrong."
SHOWN = 40


def show(ready: Ready, query: str, history: tuple[Any, ...]) -> None:
    """A popover beside the status of the cards."""
    corpus = ready.corpus
    mine = marking.grades(corpus, query)
    found: dict[str, int] = {}
    for part in (mine or marking.grades_in(corpus, None, query)).values():
        found |= part
    right = sum(grade > 0 for grade in found.values())
    label = f"Judgements: {right} right" if right else "Judgements"
    with st.popover(label, key="judgements_box"):
        if not found:
            safe.draw(f'<p class="qp-facts">{NOTHING}</p>')
        else:
            _told(ready, query, found)
        _category(corpus, query, history)
        if mine:
            st.button(
                "Forget my judgements of this query", key="unmark", on_click=_forget, args=(corpus, query, history)
            )
        if problem := st.session_state.pop("marking_problem", None):
            safe.notice("error", problem)


def _told(ready: Ready, query: str, found: dict[str, int]) -> None:
    by_hand, index = marking.by_hand(ready.corpus, query), ready.engine.index
    titles = dict(zip(index.artifact_ids, index.titles, strict=True))
    wrong = len(found) - sum(grade > 0 for grade in found.values())
    said = f"{numbers.count(len(found) - wrong, 'document')} right, {wrong:,} wrong"
    if by_hand:
        said += f"; {len(by_hand):,} of them marked by hand, kept in “My judgements”, which Evaluate offers"
    safe.draw(f'<p class="qp-facts">{safe.prose(said)}.</p>')
    rows = [
        {
            "judged": ("right" if grade > 0 else "wrong") + (", by hand" if name in by_hand else ""),
            "document": titles.get(name) or f"{name} (not in the index)",
        }
        for name, grade in sorted(found.items(), key=lambda item: (-item[1], item[0] not in by_hand, item[0]))[:SHOWN]
    ]
    height = "content" if len(rows) < 8 else 260
    safe.table(rows, hide_index=True, height=height, alt="Judged documents of this query")


def _category(corpus: str, query: str, history: tuple[Any, ...]) -> None:
    made = [one.name for one in resources.query_sets(corpus) if one.kind == "hand-made"]
    names: dict[str, None] = {}
    own: str | None = None
    for name in (None, *made):
        for one in resources.queries(corpus, name):
            if one.category:
                names[one.category] = None
            if one.text.strip() == query.strip():
                own = one.category
    key = marking.key_of("category", corpus, query, history)
    st.session_state[key] = own
    st.selectbox(
        "Category of this query",
        list(names),
        key=key,
        index=None,
        placeholder="none",
        accept_new_options=True,
        format_func=lambda one: safe.sound(one).replace("_", " "),
        on_change=_set_category,
        args=(key, corpus, query, history),
        help="Evaluate shows each category by itself.",
    )


def _set_category(key: str, corpus: str, query: str, history: tuple[Any, ...]) -> None:
    said = st.session_state[key]
    marking.guarded(lambda: sets.mark_category(corpus, query, said, history))


def _forget(corpus: str, query: str, history: tuple[Any, ...]) -> None:
    marking.guarded(lambda: sets.unmark(corpus, query, history))
