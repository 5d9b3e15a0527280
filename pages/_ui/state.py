"""What a visit remembers: ids and choices, never results. Keys of widgets are the same words as in a link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from ir_core.compare import DEFAULT_TRANSFORMS
from ir_core.config import DEFAULT_K
from ir_core.params import params_of
from ir_core.transforms import TRANSFORMS
from ir_core.writers import FREE_WRITER, LOCAL
from pages._ui import links, prompts_state, resources

DEFAULTS: Mapping[str, Any] = {
    "corpus": None,
    "corpus_title": None,
    "corpus_gone": None,
    "query": "",
    "mode": None,
    "mode_by_hand": False,
    "k": DEFAULT_K,
    "transforms": [name for name in DEFAULT_TRANSFORMS if name != "identity"],
    "kinds": [],
    "filter_json": "",
    "filter_rows": 1,
    "turns": 0,
    "expected": None,
    "run": None,
    "ask": False,
    "anew": False,
    "share_history": False,
    "problems": [],
    "scene": None,
    "frozen_id": None,
    "frozen_said": "",
    "bundle_seen": None,
    "cap_run_calls": None,
    "cap_run_usd": None,
    "cap_visit_calls": None,
    "cap_visit_usd": None,
    "made_with": None,
    "writer": FREE_WRITER,
    "model": "",
    "api_key": "",
    "base_url": "",
    prompts_state.EDITS: {},
    prompts_state.QUERIES: "",
    prompts_state.PASSAGES: "",
}
ROLES = ("user", "assistant")
ELSEWHERE = (
    "This comparison was asked at a server of one's own. Type its base URL in Writer before you press Compare; "
    "without it the model's provider is asked."
)


def begin() -> None:
    """Fill in what is not chosen yet, then what a link says. Before any widget is drawn.

    A link with ``run``, ``job`` or ``table`` is none to a comparison; whoever it is for reads it."""
    for key, value in DEFAULTS.items():
        if key not in st.session_state:
            st.session_state[key] = value.copy() if isinstance(value, list | dict) else value
    params = {name: st.query_params.get_all(name) for name in st.query_params}
    if params and not {"run", "job", "table"} & params.keys() and params != st.session_state.get("link_seen"):
        st.session_state["link_seen"] = params
        _apply(params)


def _apply(params: Mapping[str, Sequence[str]]) -> None:
    resources.open_link(params["corpus"][-1] if params.get("corpus") else None)
    read = links.read(params, [info.name for info in resources.corpora()])
    link, scene = read.link, resources.scene(read.link.scene)
    if link.scene and scene is None:
        read.problems.append(f"{links.GONE} a scene {link.scene[:40]!r}. Choose another under Scenes.")
    elif scene and not link.query:
        link = links.of_scene(scene)  # a link may name a scene and nothing else
    state = st.session_state
    state["problems"] = read.problems
    fill(replace(link, scene=scene.id if scene else None))
    if read.link.own_server and not state["base_url"]:
        state["problems"] = [*read.problems, ELSEWHERE]
    free = not link.writer_is_paid and state["writer"] in {FREE_WRITER, "recorded"}  # a link may name no writer
    state["ask"] = bool(link.query) and free and not read.problems


def fill(link: links.Link) -> None:
    """Everything the link says into the form; what it does not say stays, or is emptied where nothing is a choice."""
    state = st.session_state
    for key, value in (
        ("corpus", link.corpus),
        ("mode", link.mode),
        ("k", link.k),
    ):
        if value is not None:
            state[key] = value
    state["mode_by_hand"] = link.mode is not None
    state["query"] = link.query
    state["expected"] = link.expected
    state["scene"] = link.scene
    state["kinds"] = list(link.kinds or ())
    state["filter_json"] = links.compact(link.filter) if link.filter else ""
    state["made_with"] = {"index": link.index, "strategy": link.strategy} if link.index else None
    set_history(link.history)
    if link.transforms:
        state["transforms"] = [name for name, _ in link.transforms if name != "identity"]
        for name, settings in link.transforms:
            for setting, value in settings.items():
                state[f"t.{name}.{setting}"] = value
    if link.writer in {FREE_WRITER, LOCAL, "recorded"}:
        state["writer"] = link.writer
    elif link.writer and link.writer_is_paid:
        state["writer"], state["model"] = "model", link.writer
    state["run"] = None


def remember_link(link: links.Link) -> None:
    """Put the comparison into the address bar, so that a reload asks the same."""
    params = links.to_params(link)
    st.session_state["link_seen"] = {
        name: value if isinstance(value, list) else [value] for name, value in params.items()
    }
    st.query_params.from_dict(params)


def history(prefix: str = "") -> list[dict[str, str]]:
    """The turns typed so far, blank ones left out.

    :param prefix: begins the keys of another page's own turns; Compare's have none.
    """
    turns = [
        {
            "role": st.session_state.get(f"{prefix}turn.{i}.role", ROLES[i % 2]),
            "content": st.session_state.get(f"{prefix}turn.{i}.text", ""),
        }
        for i in range(st.session_state[f"{prefix}turns"])
    ]
    return [turn for turn in turns if turn["content"].strip()]


def set_history(turns: Sequence[Mapping[str, str]], prefix: str = "") -> None:
    st.session_state[f"{prefix}turns"] = len(turns)
    for i, turn in enumerate(turns):
        role = turn.get("role", "user")
        st.session_state[f"{prefix}turn.{i}.role"] = role if role in ROLES else "user"
        st.session_state[f"{prefix}turn.{i}.text"] = turn.get("content", "")


def choices() -> list[tuple[str, dict[str, Any]]]:
    """The chosen transforms with their settings, the original first."""
    found: list[tuple[str, dict[str, Any]]] = [("identity", {})]
    for name in TRANSFORMS.names():
        if name in st.session_state["transforms"]:
            settings = params_of(TRANSFORMS.get(name))
            own = {s.name: st.session_state.get(f"t.{name}.{s.name}", s.default) for s in settings}
            found.append((name, {key: value for key, value in own.items() if value is not None}))
    return found
