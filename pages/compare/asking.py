"""What is asked: the query and its history, the transforms and their settings, examples from the corpus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from ir_core.budget import estimate
from ir_core.compare import JOINED, with_joined_turns
from ir_core.config import MAX_TRANSFORMS
from ir_core.errors import BadInput, QueryPrismError
from ir_core.library import Example, JudgedQuery
from ir_core.params import params_of
from ir_core.transforms import TRANSFORMS
from pages._ui import forms, resources, safe, spending, state, turns, writers
from pages.compare import own_words, picking, scenes
from pages.compare.running import Asked
from pages.compare.setup import Ready

MAX_EXAMPLES = 8
SETTINGS = "a transform's settings"
CONDENSE = "condense"
CATEGORIES = {
    "simple": "plain",
    "ambiguous_short": "few words",
    "vocabulary": "other words than the documents",
    "broad": "broad",
    "narrow_technical": "exact term",
    "multi_hop": "two hops",
    "follow_up": "follow-up",
    "small_talk": "small talk",
}


def ask(ready: Ready) -> tuple[Asked, bool]:
    """Draw the form; what would be asked, and whether a person wants it asked now."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="ask"):
        query = st.text_input(
            "Query",
            key="query",
            placeholder="Type a question as you would ask it",
            persist_state="session",
            on_change=_typed,
            autocomplete="off",
        )
        pressed = st.button("Compare", type="primary", key="compare", width=150)
    with st.container(horizontal=True, vertical_alignment="center", key="transform_row", gap="small"):
        safe.draw('<span class="qp-chip" title="Always the first column">Original</span>', width="content")
        picking.pills()
        _settings()
        turns.box("What was said before the query. Transforms that read it say so on their cards.")
        asked = Asked(
            query=query or "",
            choices=tuple(with_joined_turns(_usable(ready), state.history())),
            history=tuple(state.history()),
            writer=writers.current(),
            mode=ready.mode,
            k=ready.k,
            filter=ready.filter,
            kinds=ready.kinds,
        )
        _budget(ready, asked)
    _examples(ready, asked)
    own_words.yours()
    with st.container(key="too_many"):
        if SETTINGS in ready.blocked:
            safe.notice("error", ready.blocked[SETTINGS], detail="Nothing is searched until it is mended.")
        if len(asked.columns) > MAX_TRANSFORMS:
            said = f"At most {MAX_TRANSFORMS} columns fit side by side; take some transforms out."
            safe.notice("warning", said)
        if asked.history and {CONDENSE, JOINED} & set(asked.columns) == {CONDENSE}:
            said = f"Joined turns found no room beside Condense: {MAX_TRANSFORMS} columns are the most."
            safe.notice("info", said, detail="Take a transform out to see the conversation searched as a whole, too.")
        if asked.writer.missing:
            safe.notice("warning", asked.writer.missing, detail="The corpus writer needs neither key nor model.")
    wanted = pressed or st.session_state["ask"]
    st.session_state["ask"] = False
    return asked, bool(wanted)


def can_be_asked(ready: Ready, asked: Asked) -> bool:
    """False where a sentence on the page says what is to be mended first."""
    return (
        not (ready.blocked or asked.writer.missing)
        and bool(asked.query.strip())
        and len(asked.columns) <= MAX_TRANSFORMS
    )


def _typed() -> None:
    """Enter in the box asks at once where that costs nothing."""
    st.session_state["ask"] = bool(st.session_state["query"].strip()) and not writers.current().is_llm


def _usable(ready: Ready) -> list[tuple[str, dict[str, Any]]]:
    """The chosen transforms; one whose settings do not go together blocks the comparison, with the reason shown."""
    found = []
    for name, settings in state.choices():
        try:
            TRANSFORMS.make(name, settings)
        except BadInput as error:
            ready.blocked[SETTINGS] = f"{TRANSFORMS.get(name).label}: {error}"
        else:
            found.append((name, settings))
    return found


def _settings() -> None:
    chosen = [name for name in TRANSFORMS.names() if name in st.session_state["transforms"] and name != own_words.YOU]
    with st.popover(
        "Settings", key="settings_box", disabled=not any(params_of(TRANSFORMS.get(name)) for name in chosen)
    ):
        for name in chosen:
            member: Any = TRANSFORMS.get(name)
            if params_of(member):
                safe.heading(member.label, 3)
                safe.draw(f'<p class="qp-facts">{safe.text(member.summary)}<br>{safe.text(member.reference)}</p>')
                forms.settings_form(member, f"t.{name}")
            if name == own_words.CHAIN:
                own_words.add_step()


def _budget(ready: Ready, asked: Asked) -> None:
    """What it will take and what leaves the machine, before anything is asked."""
    try:
        writer = writers.open_chosen(asked.writer, ready.engine.index)
    except QueryPrismError:
        return  # the Writer box, and pressing Compare, say what is missing
    known = spending.visit().spent(writer.name)
    found = estimate(
        asked.choices,
        writer,
        asked.query,
        asked.history,
        corpus_language=ready.manifest.language,
        spent=known,
    )
    words = spending.line(found, is_llm=writer.is_llm)
    safe.draw(f'<p class="qp-facts">{safe.text(words)}</p>', width="content")
    if writer.is_llm and (found.calls or found.sends_to):
        spending.box(found)


def _examples(ready: Ready, asked: Asked) -> None:
    """Queries to try: those the corpus names, else one of each category it has judged queries of."""
    found = ready.info.examples or _one_each(resources.queries(ready.corpus))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="examples"):
        scenes.strip(ready, asked)
        if found:
            safe.draw('<p class="qp-row-label">Examples</p>', width="content")
        for item in found[:MAX_EXAMPLES]:
            st.button(
                safe.label(item.label),
                key=f"example.{item.query_id}",
                type="tertiary",
                help=safe.label(item.text, 200),
                on_click=_take,
                args=(item,),
            )


def _one_each(queries: Sequence[JudgedQuery]) -> list[Example]:
    """Those that the corpus' authors call the boss set come first."""
    kept: dict[str, Example] = {}
    for item in sorted(queries, key=lambda one: (one.set != "boss", one.id)):
        kind = item.category or ""
        kept.setdefault(kind, Example(CATEGORIES.get(kind, kind or item.id), item.id, item.text, item.history))
    order = list(CATEGORIES)
    return [kept[kind] for kind in sorted(kept, key=lambda kind: order.index(kind) if kind in order else len(order))]


def _take(item: Example) -> None:
    st.session_state["query"] = item.text
    st.session_state["expected"] = None
    state.set_history(item.history)
    chosen = st.session_state["transforms"]
    if item.history and CONDENSE not in chosen and len(chosen) + 3 <= MAX_TRANSFORMS:
        st.session_state["transforms"] = [CONDENSE, *chosen]  # with and without the history, side by side
    _typed()
