"""Changing a prompt for this visit: checked as it is typed, asked with only once it is applied."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ir_core import prompts
from ir_core.errors import BadSetting
from ir_core.prompts import Prompt
from pages._ui import prompts_state, safe

PARTS = ("system", "user", "temperature")


def panel(bank: Prompt, current: Prompt, *, any_edited: bool) -> Prompt:
    """Draw the texts to change and what is wrong with them; the prompt they make, or the current one.

    :param current: what is asked with now: the bank's own, or as it was applied.
    """
    for part in PARTS:
        st.session_state.setdefault(_key(bank.id, part), getattr(current, part))
    for part, height in (("system", 120), ("user", 330)):
        st.text_area(
            f"{part.capitalize()} text",
            key=_key(bank.id, part),
            height=height,
            max_chars=prompts.MAX_CHARS,
            persist_state="session",
        )
    st.number_input(
        "Temperature",
        0.0,
        2.0,
        step=0.1,
        format="%.2f",
        key=_key(bank.id, "temperature"),
        width=160,
        persist_state="session",
    )
    draft, problem = current, ""
    try:
        draft = prompts.edit(bank, **_typed(bank.id))
    except BadSetting as error:
        problem = str(error)
    with st.container(key="prompt_checks"):
        if problem:
            safe.notice("warning", problem, detail="Not applied: what was asked with before still is.")
        for doubt in () if problem else prompts.doubts(draft, bank):
            safe.notice("info", doubt)
        if draft != current:
            safe.notice("info", "Changed and not applied yet.")
    with st.container(horizontal=True):
        st.button("Apply for this visit", key="prompt_apply", type="primary", on_click=_apply, args=(bank.id,))
        st.button("Reset this", key="prompt_reset", on_click=_reset, args=(bank.id,))
        st.button("Reset all", key="prompt_reset_all", on_click=_reset_all, disabled=not any_edited)
    return draft


def _key(prompt_id: str, part: str) -> str:
    return f"prompt_text.{prompt_id}.{part}"


def _typed(prompt_id: str) -> dict[str, Any]:
    return {part: st.session_state[_key(prompt_id, part)] for part in PARTS}


def _apply(prompt_id: str) -> None:
    try:
        prompts_state.apply(prompt_id, **_typed(prompt_id))
    except BadSetting:
        return  # the panel says what is wrong with the texts for as long as they stand there


def _reset(prompt_id: str) -> None:
    prompts_state.reset(prompt_id)
    bank = prompts_state.bank(prompt_id)
    for part in PARTS:
        st.session_state[_key(prompt_id, part)] = getattr(bank, part)


def _reset_all() -> None:
    for prompt in prompts.every():
        _reset(prompt.id)
