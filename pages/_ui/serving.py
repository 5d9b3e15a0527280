"""What depends on how the app is served: whether it is this machine only, and warming up behind the first paint."""

from __future__ import annotations

import logging
import os
import sys
import threading
from types import FrameType

import streamlit as st
from streamlit.runtime import Runtime
from streamlit.runtime.pages_manager import PagesManager

from ir_core import ending
from ir_core.config import SHARED, is_loopback, resources
from ir_core.jobs import is_ending
from ir_core.retrieval import Engine
from pages._ui import collecting

log = logging.getLogger("query_prism")
CALLS = "QUERY_PRISM_VISIT_CALLS"
CALLS_PER_VISIT = 200
"""An evening's comparisons; a class of thirty then costs cents with a small model."""
_warm = threading.Event()
_prepared = threading.Event()
"""An index was opened, and with it what reads queries for it."""
_importing = threading.Lock()
_heavy = threading.Lock()
"""Of two preparations at the same time each would take as long as both: what the open index needs comes first."""


def address() -> str | None:
    """What the server is bound to; None is every address."""
    bound: str | None = st.get_option("server.address")
    return bound


def is_shared() -> bool:
    """True for a class or a team: the server was started so, or can be reached from other machines."""
    return os.environ.get(SHARED) == "1" or (is_served() and not is_loopback(address()))


def on_this_machine() -> bool:
    """True for a person's own server, bound to loopback: only then may a page read folders and packages of the
    machine."""
    return is_loopback(address()) and not is_shared()


def own_address() -> str | None:
    """What the server is bound to where it is a person's own; None where others can reach it, also by a proxy."""
    return None if is_shared() else address()


def calls_per_visit() -> int:
    """Calls to a model that a visit of a shared server may make on the server's own keys."""
    said = os.environ.get(CALLS, "")
    return int(said) if said.isascii() and said.isdigit() else CALLS_PER_VISIT


def is_served() -> bool:
    """False in a test that runs the script without a server."""
    return Runtime.exists() and type(Runtime.instance()) is Runtime


def begin() -> None:
    """Before a script does anything else; what is once per process is done once."""
    if is_served():
        ending.begin()
        collecting.begin()
        if PagesManager.uses_pages_directory or _in_old_pages():
            _leave_old_pages()


def _in_old_pages() -> bool:
    """Told by the calls this run is in: the switch is one for all, and another visit may have turned it meanwhile."""
    frame: FrameType | None = sys._getframe()
    while frame and frame.f_code.co_name != "_mpa_v1":
        frame = frame.f_back
    return frame is not None


def _leave_old_pages() -> None:
    """Because there is a folder ``pages``, a server begins with Streamlit's old way of finding pages in it, in which
    a script runs as one of its pages, and widgets of the frame have other identities. Turn it off, and run from the
    beginning; so must every visit that began in the old way, also where another has turned it off meanwhile.

    A test without a server begins every run like that; there it changes nothing from run to run."""
    PagesManager.uses_pages_directory = False
    st.rerun()


def into_frame() -> None:
    """What a script directly in ``pages`` does: everything is drawn by app.py, also where it was not asked for."""
    if is_served():
        _leave_old_pages()
    st.navigation([st.Page(resources() / "app.py", title="Query Prism")], position="hidden").run()


def warm_up() -> None:
    """Once per process, in the background: the imports and the model that the first comparison needs; where an index
    is open, its own model is the one."""
    if _warm.is_set() or not is_served():
        return
    _warm.set()
    threading.Thread(target=_load, name="warm-up", daemon=True).start()


def prepare(engine: Engine) -> None:
    """In the background, what the first comparison over an index waits for: the corpus writer's statistics of 100,000
    surfaces take seconds, in which a person types."""
    _prepared.set()
    if is_served():
        threading.Thread(target=_prepare, args=(engine,), name="prepare", daemon=True).start()


def _prepare(engine: Engine) -> None:
    from ir_core import session
    from ir_core.writers import open_writer

    try:
        with _heavy:
            session.warm_up(engine, open_writer("corpus", index=engine.index))
    except Exception:  # closed meanwhile; or the first comparison meets the same problem, and says so
        log.debug("preparing %s failed", engine.index.manifest.corpus, exc_info=True)


def import_heavy() -> None:
    """What pages import when they need it, by one thread at a time: of two that begin at once, as visits of a shared
    server do, one would be handed the other's half of a package."""
    with _importing:
        import chromadb  # noqa: F401
        import pandas  # noqa: F401
        import plotly.graph_objects  # noqa: F401


def _load() -> None:
    try:
        import_heavy()

        from ir_core.embedders import open_embedder

        with _heavy:
            if not _prepared.is_set():
                open_embedder().encode_query(["warm"])
    except Exception:  # the first comparison meets the same problem, and says so
        if not is_ending():
            log.exception("warming up failed")
