"""Who writes the text: chosen once for all pages. A typed key is in ``keys`` and nowhere else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from ir_core.errors import BadSetting
from ir_core.protocols import Writer
from ir_core.secrets import Secret
from ir_core.writers import FREE_WRITER, LOCAL, open_writer
from ir_core.writers.llm import Price
from pages._ui import kept_replies, keys, prompts_state, safe, writer_model, writer_recorded, writer_recording
from pages._ui.prompts_state import UNCHANGED, Wording
from pages._ui.writer_recorded import Recording

MODEL, RECORDED = "model", "recorded"
KINDS = {
    FREE_WRITER: "corpus (no LLM)",
    LOCAL: "small local model",
    MODEL: "any model (litellm)",
    RECORDED: "recorded",
}
FACTS = {
    FREE_WRITER: "Texts come from the statistics of the corpus itself: "
    "no key, no network, no cost, the same every time. Some of a sample's own queries have texts that a person "
    "wrote as examples; those are shown instead, and each card says so.",
    LOCAL: "SmolLM2 with 135 million parameters, in this process: "
    "no key, no network, no cost. It writes weakly; that is what there is to see.",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """``name`` is what a link says: "corpus", "local", "recorded", or a litellm model string (blank while none is
    typed)."""

    name: str
    api_key: Secret | None = None
    base_url: str = ""
    wording: Wording = UNCHANGED
    price: Price | None = None
    deadline_s: float | None = None
    recording: Recording | None = None

    def __repr__(self) -> str:
        return f"Choice({self.name!r})"

    @property
    def is_llm(self) -> bool:
        """True where a model is asked now."""
        return self.name not in {FREE_WRITER, RECORDED}

    @property
    def may_cost(self) -> bool:
        return self.is_llm and self.name != LOCAL

    @property
    def missing(self) -> str | None:
        """What has to be chosen first, as a sentence."""
        if self.name == RECORDED and self.recording is None:
            return "No recording is opened. Open Writer and choose the file of a recording."
        if not self.name:
            return "No model is named. Open Writer and type a model string such as provider/model."
        return None

    @property
    def source(self) -> tuple[object, ...]:
        """What decides the texts, prompts apart."""
        return self.name, self.base_url, self.recording

    @property
    def label(self) -> str:
        if self.name == RECORDED:
            return self.recording.label if self.recording else "no recording opened yet"
        return KINDS.get(self.name) or self.name or "no model named yet"


def current() -> Choice:
    """As it is now. To be called by the script, not by a thread of its own.

    Nothing is raised: what is wrong is said where it was set, and by :func:`open_chosen`."""
    kind = st.session_state["writer"]
    if kind == RECORDED:
        return Choice(RECORDED, recording=writer_recorded.chosen())
    if kind == LOCAL:
        return Choice(LOCAL)  # it has prompts of its own
    if kind != MODEL:
        return Choice(FREE_WRITER)
    return Choice(
        writer_model.name(),
        keys.current(),
        writer_model.base_url(),
        prompts_state.wording(),
        writer_model.price(),
        writer_model.deadline_s(),
    )


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
        kind = st.session_state["writer"]
        if kind == MODEL:
            writer_model.section()
        elif kind == RECORDED:
            writer_recorded.section()
        else:
            _facts(kind)
        if kind != RECORDED:
            writer_recording.section()
        if kind in {MODEL, LOCAL}:
            kept_replies.section()


def _facts(kind: str) -> None:
    from ir_core.writers import local

    if kind == LOCAL and (reason := local.available()):
        safe.notice("info", reason)
        return
    safe.draw(f'<p class="qp-facts">{safe.text(FACTS[kind])}</p>')


def open_chosen(choice: Choice, index: Any) -> Writer:
    """The writer itself.

    :raises QueryPrismError: when it cannot be had; the message says why.
    """
    if choice.missing:
        raise BadSetting(choice.missing)
    if choice.recording is not None:
        return writer_recorded.replay(choice.recording, index)
    return open_writer(
        choice.name,
        index=index,
        api_key=choice.api_key.reveal() if choice.api_key else None,
        base_url=choice.base_url or None,
        price=choice.price,
        deadline_s=choice.deadline_s,
        edited=choice.wording.by_id,
        query_language=choice.wording.query_language,
        passage_language=choice.wording.passage_language,
    )
