"""What of query sets outlives one run of the script, each cache bounded; ``pages._ui.resources`` gives all of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from ir_core import library, visits
from ir_core.loaders import judged
from pages._ui.jobs import Jobs


@st.cache_resource(ttl=20, max_entries=64, show_spinner=False)
def _query_sets(owner: str | None, corpus: str) -> Sequence[library.QuerySet]:
    return tuple(library.query_sets(corpus))


def query_sets(corpus: str) -> Sequence[library.QuerySet]:
    """The corpus' own, then those that were added and this visit may list."""
    return _query_sets(visits.owner(), corpus)


@st.cache_resource(ttl=120, max_entries=16, show_spinner=False)
def _set_queries(owner: str | None, corpus: str, name: str | None) -> Sequence[Any]:
    return tuple(library.query_set(corpus, name).queries())


def queries(corpus: str, name: str | None = None) -> Sequence[Any]:
    """Of one of its query sets; its own without a name."""
    return _set_queries(visits.owner() if name else None, corpus, name)


@st.cache_resource(ttl=120, max_entries=16, show_spinner=False)
def _set_judgements(owner: str | None, corpus: str, name: str | None) -> Mapping[str, Mapping[str, int]]:
    return library.query_set(corpus, name).qrels()


def judgements(corpus: str, name: str | None = None) -> Mapping[str, Mapping[str, int]]:
    """Of one of its query sets; its own without a name."""
    return _set_judgements(visits.owner() if name else None, corpus, name)


def forget_query_sets() -> None:
    """After one was added, marked in, or deleted."""
    for cache in (_query_sets, _set_queries, _set_judgements):
        cache.clear()


@st.cache_resource(ttl=600, max_entries=4, show_spinner="Reading the queries")
def seen_queries(mark: str, _name: str, _data: bytes) -> Any:
    """An uploaded file of queries, looked at; ``mark`` is of its name and content.

    :raises BadSource: when there is no query in it.
    """
    return judged.look((_name, _data))


@st.cache_resource(max_entries=1, show_spinner=False)
def askings() -> Jobs:
    """Synthetic questions that are being written, of all visits."""
    return Jobs(16)
