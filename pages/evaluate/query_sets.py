"""Which query set is measured: the corpus' own, or one that was added; and the box to add and delete them."""

from __future__ import annotations

import streamlit as st

from ir_core import library
from ir_core.errors import QueryPrismError
from pages._ui import numbers, resources, safe
from pages._ui.query_sets import box
from pages.evaluate import query_sets_details, query_sets_import, query_sets_public, query_sets_synthetic

KEY = "ev_set"
ADD = {"import": "Import a file", "public": "Public set", "write": "Synthetic questions"}


def choose(corpus: str) -> str | None:
    """The name of the chosen set; None is the corpus' own. One that was just added is chosen."""
    state = st.session_state
    if made := state.pop("ev_set_made", None):
        added(*made)
    if name := state.pop("ev_set_next", None):
        state[KEY] = name
    return box.choose(corpus, KEY)


def manage(corpus: str, chosen: str | None) -> None:
    """A popover: the details of the chosen set, and three ways to another."""
    state = st.session_state
    with st.popover("Manage sets", key="ev_sets_box"):
        if said := state.pop("ev_sets_said", None):
            safe.notice(*said)
        query_sets_details.show(corpus, chosen, _delete)
        safe.heading("Add a set", 3)
        way = st.segmented_control(
            "How", list(ADD), key="ev_set_way", format_func=ADD.__getitem__, label_visibility="collapsed",
            persist_state="session",
        )  # fmt: skip
        if way == "import":
            query_sets_import.show(corpus, added)
        elif way == "public":
            query_sets_public.show(corpus, added)
        elif way == "write":
            query_sets_synthetic.show(corpus)
        else:
            told = "Or open a passage on the Compare page and mark it right or wrong: that makes a set, too."
            safe.draw(f'<p class="qp-facts">{told}</p>')


def added(made: library.QuerySet, note: str = "") -> None:
    """Chosen in the next run, with a word about it."""
    resources.forget_query_sets()
    state = st.session_state
    state["ev_set_next"], state["ev_set_way"] = made.name, None
    count = numbers.count(made.n_queries, "query", "queries")
    gone = numbers.count(made.n_left_out, "judgement")
    note += f" Left out: {gone} of queries that are not in the set." if made.n_left_out else ""
    said = f"{made.title} was added: {count}, {numbers.count(made.n_judgements, 'judgement')}. {note.strip()}"
    state["ev_sets_said"] = ("success", said.strip())


def _delete(corpus: str, name: str) -> None:
    state = st.session_state
    try:
        library.delete_query_set(corpus, name)
        state["ev_sets_said"] = ("success", "The set was deleted. Runs that measured it keep its queries.")
    except QueryPrismError as error:
        state["ev_sets_said"] = ("error", str(error))
    resources.forget_query_sets()
