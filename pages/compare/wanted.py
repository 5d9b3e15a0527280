"""Documents that are looked for: those judged relevant for a known query, and the one a person expects."""

from __future__ import annotations

import streamlit as st

from pages.compare import marking
from pages.compare.setup import Ready


def grades(ready: Ready, query: str) -> dict[str, int]:
    """Judgements by artifact id where this text is one of the corpus' own queries, or was judged by hand, which
    stands above the others; empty otherwise."""
    mine = marking.grades(ready.corpus, query)
    own = marking.grades_in(ready.corpus, None, query)
    found: dict[str, int] = {}
    for part in (*(part for name, part in own.items() if name not in mine), *mine.values()):
        found |= part
    return found


def judged(ready: Ready, query: str) -> dict[str, int]:
    """Those of them that say a document is relevant."""
    return {name: grade for name, grade in grades(ready, query).items() if grade > 0}


def marks(ready: Ready, query: str) -> dict[str, str]:
    """A word for each document that is looked for, or was said to be wrong, by artifact id."""
    by_hand = marking.by_hand(ready.corpus, query)
    known = dict.fromkeys(judged(ready, query), "judged relevant")
    known |= {name: marking.WORDS["right" if grade > 0 else "wrong"] for name, grade in by_hand.items()}
    expected = st.session_state["expected"]
    return {**known, **({expected: "★ expected"} if expected else {})}


PAGE = "page_to_be_drawn"


def draw_page() -> None:
    """To be called by a tab, whose own changes draw the tabs only: this one shows in what stands above them, too."""
    st.session_state[PAGE] = True


def is_to_be_drawn() -> bool:
    return bool(st.session_state.pop(PAGE, False))


def is_drawn() -> None:
    st.session_state.pop(PAGE, None)
