"""The replies that are kept on disk, as the writer's box shows them."""

from __future__ import annotations

import streamlit as st

from ir_core.writers.reply_store import store
from pages._ui import numbers, safe, serving


def section() -> None:
    """How many there are, and a button that forgets them."""
    kept = store()
    n = len(kept)
    said = (
        f"{numbers.count(n, 'reply', 'replies')} kept ({numbers.size(kept.size_bytes())}): the same request is not "
        "asked, nor paid for, twice. Cards say so; Ask anew, below them, asks all the same."
        if n
        else "Usable replies are kept, so that the same request is not paid for twice. There are none yet."
    )
    with st.container(key="kept_replies"):
        safe.draw(f'<p class="qp-facts">{safe.text(said)}</p>')
        if not serving.is_shared():  # they are everybody's
            st.button("Clear kept replies", key="kept_clear", on_click=kept.clear, disabled=not n)
