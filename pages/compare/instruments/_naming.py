"""Short names of the columns, and what has to be said of some of them first."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ir_core.schema import SearchResult
from pages._ui import safe


def short(result: SearchResult) -> str:
    """What was really made, without its additions: ``Feedback passages (Rocchio), in place of HyDE`` is too long."""
    return result.formulation.title.split(" (")[0].split(",")[0]


def columns(results: Sequence[SearchResult]) -> list[str]:
    """``3. Multi-query``: the number stands on the card too, and keeps two of one name apart."""
    return [f"{number + 1}. {short(result)}" for number, result in enumerate(results)]


def state(result: SearchResult) -> str:
    """Why a ranking says nothing of its transform; blank where it does."""
    if result.formulation.skip_reason:
        return "not searched"
    if result.formulation.fell_back:
        return "fell back to the original"
    return "" if result.fused.hits else "found nothing"


def lines(sentences: Sequence[tuple[str, str]]) -> None:
    """Name and sentence, one under the other."""
    rows = "".join(f"<dt>{safe.text(name)}</dt><dd>{safe.prose(said)}</dd>" for name, said in sentences)
    safe.draw(f'<dl class="qp-facts-list">{rows}</dl>')


def choose(results: Sequence[SearchResult], key: str) -> int:
    """A box with the transforms by number and title; the number of the chosen one's result. At first one that
    searched several queries, where there is something to tell apart."""
    titles = [f"{number + 1}. {result.formulation.title}" for number, result in enumerate(results)]
    if not 0 <= st.session_state.get(key, -1) < len(results):  # not chosen yet, or among more columns
        several = (i for i, result in enumerate(results) if len(result.formulation.queries) > 1)
        st.session_state[key] = next(several, 0)
    number = st.selectbox(
        "Transform", range(len(results)), format_func=lambda i: safe.sound(titles[i]), key=key, width=480
    )
    return number or 0
