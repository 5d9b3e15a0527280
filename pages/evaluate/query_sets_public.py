"""A public set by its name, through ir_datasets: on one's own machine, since its files are fetched to it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ir_core.errors import MissingPackage, QueryPrismError
from ir_core.library.sets import public_set
from ir_core.loaders import judged
from pages._ui import safe, serving

HINT = (
    "Queries and judgements of a set by its name in ir_datasets, such as beir/scifact/test. They are fetched from "
    "where the set is published. The documents are not: the corpus should hold them under the same ids."
)


def show(corpus: str, added: Callable[..., None]) -> None:
    if not serving.on_this_machine():
        said = "Public sets are fetched on a server of one's own only. Download its files, and import them here."
        safe.notice("info", said)
        return
    if not judged.available():
        safe.notice("info", MissingPackage("ir_datasets", "A public set by its name"))
        return
    safe.draw(f'<p class="qp-facts">{HINT}</p>')
    name = st.text_input("Name of the public set", key="ev_public", max_chars=200, placeholder="beir/scifact/test")
    st.button("Fetch and keep it", type="primary", key="ev_public_add", disabled=not name.strip(),
              on_click=_add, args=(corpus, name, added))  # fmt: skip
    if problem := st.session_state.pop("ev_public_problem", None):
        safe.notice("error", problem)


def _add(corpus: str, name: str, added: Callable[..., None]) -> None:
    if not serving.on_this_machine():  # a widget that is not drawn can still be sent
        return
    try:
        added(public_set(corpus, name))
    except QueryPrismError as error:
        st.session_state["ev_public_problem"] = str(error)
