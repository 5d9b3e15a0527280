"""Which column holds the text, where tables or records among other files had none that is known to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from ir_core import library
from ir_core.errors import QueryPrismError
from ir_core.loaders import Problem
from pages._ui import resources, visit
from pages.corpus import adding

USUAL = "none: such rows are left out"


def ask(info: Any, problems: Sequence[Problem]) -> None:
    """Drawn as long as rows wait for it, and once it is chosen, to be changed."""
    columns = dict.fromkeys(column for problem in problems for column in problem.columns)
    if info.kind == "sample" or not visit.may_change(info.name) or not (columns or info.text_column):
        return
    names = list(dict.fromkeys([*filter(None, [info.text_column]), *columns]))
    key = f"text_column.{info.name}"
    st.selectbox(
        "Column that holds the text, where no known one is there",
        [USUAL, *names],
        index=1 if info.text_column else 0,
        key=key,
        on_change=_choose,
        args=(info.name, key),
        width=420,
        help="For every table and record of this corpus that has such a column; the others keep theirs.",
    )


def _choose(name: str, key: str) -> None:
    chosen = st.session_state[key]
    try:
        library.set_text_column(name, None if chosen == USUAL else chosen)
    except QueryPrismError as error:
        adding.problem(error)
    resources.forget_corpora()
