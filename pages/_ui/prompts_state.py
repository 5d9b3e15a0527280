"""How an LLM is asked in this visit: prompts edited for it, and languages fixed for what it writes.

The visit holds texts by prompt id, at most one per prompt of the bank and of bounded length. They are never put into
a link.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from ir_core import prompts
from ir_core.errors import BadSetting
from ir_core.prompts import Prompt

EDITS = "prompt_edits"
QUERIES, PASSAGES = "queries_in", "passages_in"
"""Keys of the two languages; blank is the query's own and the corpus'."""


@dataclass(frozen=True, slots=True)
class Wording:
    """Part of what is asked: two comparisons with different wordings are two."""

    edited: tuple[Prompt, ...] = ()
    query_language: str | None = None
    passage_language: str | None = None

    @property
    def by_id(self) -> dict[str, Prompt]:
        return {prompt.id: prompt for prompt in self.edited}


UNCHANGED = Wording()


def wording() -> Wording:
    """As it is now. To be called by the script, not by a thread of its own."""
    languages = (_language(st.session_state.get(key)) for key in (QUERIES, PASSAGES))
    return Wording(tuple(edited().values()), *languages)


def edited() -> Mapping[str, Prompt]:
    """The prompts edited in this visit, by id (``hyde.en``)."""
    kept: Mapping[str, Mapping[str, str | float]] = st.session_state.get(EDITS, {})
    return {prompt.id: _changed(prompt, kept[prompt.id]) for prompt in prompts.every() if prompt.id in kept}


def apply(prompt_id: str, *, system: str, user: str, temperature: float) -> None:
    """Ask with these texts from now on; the bank's own texts are a reset.

    :raises BadSetting: when it cannot be asked with; what was there before stays.
    """
    changed = prompts.edit(bank(prompt_id), system=system, user=user, temperature=temperature)
    reset(prompt_id)
    if changed.edited:
        texts = {"system": system, "user": user, "temperature": temperature}
        st.session_state[EDITS] = {**st.session_state[EDITS], prompt_id: texts}


def reset(prompt_id: str) -> None:
    kept = st.session_state.get(EDITS, {})
    st.session_state[EDITS] = {name: texts for name, texts in kept.items() if name != prompt_id}


def reset_all() -> None:
    st.session_state[EDITS] = {}


def bank(prompt_id: str) -> Prompt:
    """The bank's own.

    :raises BadSetting: for an id that is not in the bank.
    """
    found = next((prompt for prompt in prompts.every() if prompt.id == prompt_id), None)
    if found is None:
        raise BadSetting(f"There is no prompt {prompt_id!r} to edit.")
    return found


def _changed(prompt: Prompt, texts: Mapping[str, str | float]) -> Prompt:
    return prompts.edit(
        prompt,
        system=str(texts["system"]),
        user=str(texts["user"]),
        temperature=float(texts["temperature"]),
    )


def _language(code: str | None) -> str | None:
    return code if code in prompts.LANGUAGE_NAMES else None
