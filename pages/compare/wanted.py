"""Documents that are looked for: those judged relevant for a known query, and the one a person expects."""

from __future__ import annotations

import streamlit as st

from pages._ui import resources
from pages.compare.setup import Ready


def judged(ready: Ready, query: str) -> dict[str, int]:
    """Relevance by artifact id where this text is one of the corpus' own queries; empty otherwise."""
    same = [item.id for item in resources.queries(ready.corpus) if item.text.strip() == query.strip()]
    found = resources.judgements(ready.corpus)
    return {name: grade for item in same for name, grade in found.get(item, {}).items() if grade > 0}


def marks(ready: Ready, query: str) -> dict[str, str]:
    """A word for each document that is looked for, by artifact id."""
    known = dict.fromkeys(judged(ready, query), "judged relevant")
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
