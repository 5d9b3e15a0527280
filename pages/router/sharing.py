"""This page as a link: ids of everything that was chosen, never a key, and the history only when asked for.

Every link of it has ``table``, by which Compare's own reading of links (``state.begin``) leaves it alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from ir_core.config import MAX_K, MAX_QUERY_CHARS
from ir_core.errors import BadInput, UnknownName
from ir_core.params import params_of, values_of
from ir_core.router import DECIDERS, LABELS
from ir_core.schema import MODE_LEGS
from pages._ui import resources, state, writers
from pages._ui.links import GONE, compact
from pages._ui.run_family import PARAM
from pages.router import memory, routing_table
from pages.router.choosing import Chosen
from pages.router.running import Asked
from pages.router.setup import Ready

TABLE = "table"


def params_for(ready: Ready, asked: Asked, *, with_history: bool) -> dict[str, str]:
    """The first query and what it is routed by."""
    query = asked.queries[0]
    found = {
        TABLE: routing_table.in_link(asked.table),
        "corpus": ready.corpus,
        "q": query.text[:MAX_QUERY_CHARS],
        "decider": _written(asked.decider),
        "mode": ready.mode,
        "k": str(ready.k),
        "label": asked.label or "",
        "history": compact([dict(turn) for turn in query.history]) if with_history and query.history else "",
    }
    return {name: value for name, value in found.items() if value}


def url(params: Mapping[str, str]) -> str:
    return f"{(st.context.url or '').split('?', 1)[0].split('#', 1)[0]}?{urlencode(params)}"


def remember(params: Mapping[str, str]) -> None:
    """Put it into the address bar, so that a reload asks the same."""
    st.session_state["rt_link_seen"] = dict(params)
    st.query_params.from_dict(dict(params))


def take() -> None:
    """What the address says when it is opened, once; what it names and is not here becomes a sentence."""
    params = {name: str(st.query_params[name]) for name in st.query_params if name != PARAM}
    if TABLE not in params or params == st.session_state["rt_link_seen"]:
        return
    st.session_state["rt_link_seen"] = params
    problems: list[str] = []
    _corpus(params.get("corpus"), problems)
    for read, name in ((routing_table.take, TABLE), (_decider, "decider")):
        try:
            if text := params.get(name):
                read(text)
        except BadInput as error:
            problems.append(f"{GONE} {error}")
    _rest(params, problems)
    st.session_state["rt_problems"] = problems
    free = not problems and not writers.current().is_llm
    st.session_state["rt_ask"] = bool(st.session_state["rt_query"]) and free


def _corpus(name: str | None, problems: list[str]) -> None:
    known = [info.name for info in resources.corpora()]
    if name in known:
        st.session_state["corpus"] = name
    elif name is not None:
        problems.append(f"{GONE} {UnknownName('corpus', name, known)}")


def _rest(params: Mapping[str, str], problems: list[str]) -> None:
    visit = st.session_state
    visit["rt_query"] = params.get("q", "")[: 5 * MAX_QUERY_CHARS]
    state.set_history(_history(params.get("history"), problems), memory.PREFIX)
    visit["rt_job"] = None
    label, mode, k = params.get("label"), params.get("mode"), params.get("k", "")
    visit["rt_override"] = label if label in LABELS else None
    if label and label not in LABELS:
        problems.append(f"{GONE} {UnknownName('label', label, LABELS)}")
    if mode in MODE_LEGS:
        visit["rt_mode"] = mode
    if k.isascii() and k.isdigit() and 1 <= int(k) <= MAX_K:
        visit["rt_k"] = int(k)


def _history(text: str | None, problems: list[str]) -> tuple[Mapping[str, str], ...]:
    try:
        turns = json.loads(text) if text else []
        return tuple({"role": str(turn["role"]), "content": str(turn["content"])} for turn in turns)
    except (ValueError, TypeError, KeyError, RecursionError):
        problems.append("The history in the link cannot be read; the query stands alone.")
        return ()


def _written(decider: Chosen) -> str:
    name, settings = decider
    plain = {one.name: one.default for one in params_of(DECIDERS.get(name))}
    pairs = ",".join(f"{key}={value}" for key, value in sorted(settings.items()) if plain[key] != value)
    return f"{name}:{pairs}" if pairs else name


def _decider(text: str) -> None:
    """:raises BadInput: for a decider or setting there is not."""
    name, _, pairs = text.partition(":")
    settings: dict[str, Any] = dict(pair.split("=", 1) for pair in pairs.split(",") if "=" in pair)
    made: Any = DECIDERS.make(name, settings)
    st.session_state["rt_decider"] = made.name
    for setting, value in values_of(made).items():
        st.session_state[f"rt.d.{made.name}.{setting}"] = value
