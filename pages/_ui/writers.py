"""Who writes the text: chosen once for all pages. A key typed here stays in this visit's memory and nowhere else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from ir_core.errors import BadSetting
from ir_core.protocols import Writer
from ir_core.writers import FREE_WRITER, open_writer
from pages._ui import safe, serving

KINDS = {FREE_WRITER: "corpus (no LLM)", "model": "any model (litellm)"}


@dataclass(frozen=True, slots=True)
class Choice:
    """``name`` is what a link says: "corpus", or a litellm model string (blank while none is typed)."""

    name: str
    api_key: str = ""
    base_url: str = ""

    def __repr__(self) -> str:
        return f"Choice({self.name!r})"

    @property
    def is_llm(self) -> bool:
        return self.name != FREE_WRITER

    @property
    def label(self) -> str:
        return KINDS[FREE_WRITER] if not self.is_llm else self.name or "no model named yet"


def current() -> Choice:
    state = st.session_state
    if state["writer"] == FREE_WRITER:
        return Choice(FREE_WRITER)
    base_url = state["base_url"].strip() if serving.on_this_machine() else ""
    return Choice(state["model"].strip(), state["api_key"].strip(), base_url)


def choose() -> None:
    """The shared control, in the frame above every page."""
    with st.popover(f"Writer: {safe.label(current().label, 40)}", key="writer_box"):
        st.radio(
            "Who writes the texts",
            list(KINDS),
            format_func=KINDS.__getitem__,
            key="writer",
            persist_state="session",
        )
        if st.session_state["writer"] == FREE_WRITER:
            safe.draw(
                '<p class="qp-facts">Texts come from the statistics of the corpus itself: '
                "no key, no network, no cost, the same every time.</p>"
            )
            return
        st.text_input(
            "Model",
            key="model",
            placeholder="provider/model",
            max_chars=200,
            persist_state="session",
            help="Any model string that litellm knows.",
        )
        st.text_input(
            "Key for this visit",
            key="api_key",
            type="password",
            max_chars=400,
            autocomplete="off",
            persist_state="session",
            help="Kept in memory for this visit only. Leave it empty to use the key in the server's environment.",
        )
        if serving.on_this_machine():
            st.text_input(
                "Base URL",
                key="base_url",
                max_chars=400,
                placeholder="the provider's own",
                persist_state="session",
                help="A gateway or a server on this network that speaks the same protocol.",
            )


def open_chosen(choice: Choice, index: Any) -> Writer:
    """The writer itself.

    :raises QueryPrismError: when it cannot be had; the message says why.
    """
    if not choice.is_llm:
        return open_writer(FREE_WRITER, index=index)
    if not choice.name:
        raise BadSetting("No model is named. Open Writer and type a model string such as provider/model.")
    return open_writer(choice.name, index=index, api_key=choice.api_key or None, base_url=choice.base_url or None)
