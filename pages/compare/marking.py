"""Hits marked right or wrong: the control in a passage's drawer, and what was marked of a query.

Marks go into the corpus' hand-made query set, which the Evaluate page then offers; the corpus itself stays as it is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from ir_core.errors import QueryPrismError
from ir_core.library import sets
from pages._ui import cards, resources, safe

WORDS = {"right": "marked right", "wrong": cards.WRONG}
Grades = Mapping[str, Mapping[str, int]]
"""Grades by document id, by the id of each query that has this text."""


def grades_in(corpus: str, name: str | None, query: str) -> Grades:
    """What one of the corpus' query sets says; its own without a name."""
    judged = resources.judgements(corpus, name)
    same = [one.id for one in resources.queries(corpus, name) if one.text.strip() == query.strip()]
    return {one: judged.get(one, {}) for one in same}


def grades(corpus: str, query: str) -> Grades:
    """What was marked by hand, with what was taken over from the corpus' own set at the first mark."""
    made = next((one for one in resources.query_sets(corpus) if one.kind == "hand-made"), None)
    return grades_in(corpus, made.name, query) if made else {}


def by_hand(corpus: str, query: str) -> dict[str, int]:
    """Only the grades that say something else than the corpus' own set, or that it does not have."""
    mine, own = grades(corpus, query), grades_in(corpus, None, query)
    return {
        document: grade
        for name, part in mine.items()
        for document, grade in part.items()
        if document not in own.get(name, {}) or (own[name][document] > 0) != (grade > 0)
    }


def key_of(what: str, corpus: str, query: str, history: Sequence[Any], document: str = "") -> str:
    """Of a widget that is this query's alone: of another's, a browser may still send what it held before."""
    mark = hashlib.sha256("\n".join((corpus, query, repr(list(history)), document)).encode("utf-8", "replace"))
    return f"{what}-{mark.hexdigest()[:12]}"


def control(corpus: str, query: str, history: Sequence[Any], document: str) -> None:
    """Right or wrong, for one document; a second click on it takes the judgement back."""
    found: dict[str, int] = {}
    for part in (grades(corpus, query) or grades_in(corpus, None, query)).values():
        found |= part
    key = key_of("mark", corpus, query, history, document)
    grade = found.get(document)
    st.session_state[key] = None if grade is None else "right" if grade > 0 else "wrong"
    with st.container(horizontal=True, vertical_alignment="bottom", key="marking", gap="small"):
        st.segmented_control(
            "Does it answer the query?",
            list(WORDS),
            key=key,
            format_func=str.capitalize,
            on_change=_mark,
            args=(key, corpus, query, tuple(history), document),
            help="Kept in “My judgements”, a query set of this corpus that Evaluate offers. A second click takes it "
            "back. The corpus’ own judgements stay as they are.",
        )
        if grade is None:
            said = "Nobody judged it."
        else:
            mine = document in by_hand(corpus, query)
            said = "By you, in “My judgements”." if mine else "So say the corpus’ own judgements."
        safe.draw(f'<p class="qp-facts">{safe.text(said)}</p>', width="content")
    if problem := st.session_state.pop("marking_problem", None):
        safe.notice("error", problem)


def guarded(work: Callable[[], object]) -> None:
    """Keeps a mark; what cannot be kept is said beside the control."""
    try:
        work()
    except QueryPrismError as error:
        st.session_state["marking_problem"] = str(error)
    resources.forget_query_sets()


def _mark(key: str, corpus: str, query: str, history: tuple[Any, ...], document: str) -> None:
    said = st.session_state[key]
    grade = None if said is None else sets.MARKS[said]
    guarded(lambda: sets.mark(corpus, query, document, grade, history))
