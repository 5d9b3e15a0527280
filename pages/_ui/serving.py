"""What depends on how the app is served: whether it is this machine only, and warming up behind the first paint."""

from __future__ import annotations

import logging
import threading

import streamlit as st
from streamlit.runtime import Runtime
from streamlit.runtime.pages_manager import PagesManager

from ir_core.config import is_loopback, resources

log = logging.getLogger("query_prism")
_warm = threading.Event()


def address() -> str | None:
    """What the server is bound to; None is every address."""
    bound: str | None = st.get_option("server.address")
    return bound


def on_this_machine() -> bool:
    """True when the server is bound to loopback: only then may a page read folders and packages of the machine."""
    return is_loopback(address())


def is_served() -> bool:
    """False in a test that runs the script without a server."""
    return Runtime.exists() and type(Runtime.instance()) is Runtime


def leave_old_pages() -> None:
    """Because there is a folder ``pages``, a server begins with Streamlit's old way of finding pages in it, in which
    widgets of the frame have other identities. Turn it off, and run from the beginning.

    A test without a server begins every run like that; there it changes nothing from run to run."""
    if is_served() and PagesManager.uses_pages_directory:
        PagesManager.uses_pages_directory = False
        st.rerun()


def into_frame() -> None:
    """What a script directly in ``pages`` does: everything is drawn by app.py, also where it was not asked for."""
    leave_old_pages()
    st.navigation([st.Page(resources() / "app.py", title="Query Prism")], position="hidden").run()


def warm_up() -> None:
    """Once per process, in the background: the imports and the model that the first comparison needs."""
    if _warm.is_set() or not is_served():
        return
    _warm.set()
    threading.Thread(target=_load, name="warm-up", daemon=True).start()


def _load() -> None:
    try:
        import chromadb  # noqa: F401

        from ir_core.embedders import open_embedder

        open_embedder().encode_query(["warm"])
    except Exception:  # the first comparison meets the same problem, and says so
        log.exception("warming up failed")
