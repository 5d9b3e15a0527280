"""Whose visit this is on a shared server: of who signed in, else of a browser, else of one open tab.

A browser is told apart by the random cookie that Streamlit gives it against cross-site requests: a reload is the same
visit, and nobody else has it. It is kept nowhere; a folder is named by its hash with a secret of this server.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import logging
import os
import secrets
import tempfile
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ir_core import build, config, library, visits
from ir_core.embedders import EMBEDDERS
from ir_core.errors import BadInput, DiskRefuses
from pages._ui import browser, safe, serving, signing

KEY_FILE = ".visits-secret"
KEY_BYTES = 32
_log = logging.getLogger(__name__)
THE_KEY = "Only you are shown your documents. A link to them is their key: whoever has it can read them all."
READ_ONLY = "On this server this corpus is read-only: upload documents of your own to choose how they are indexed."


def begin() -> None:
    """Once per run of the script, before anything is read: from here on stores know whose turn it is."""
    visits.ask(owner)
    try:
        with config.keeping("What a visit brings to this shared server"):
            _enter()
    except DiskRefuses as error:  # nothing could be read either: every store asks whose turn it is
        _log.warning("no visit can begin in %s: %s", config.home(), error.__cause__)
        safe.notice("error", error)
        st.stop()


def _enter() -> None:
    if (who := owner()) is not None:
        place = config.home() / "visits" / who
        if not place.is_dir():
            visits.sweep(_drop_indexes)
        place.mkdir(parents=True, exist_ok=True)
        place.touch()


def owner() -> str | None:
    """None on a machine of one's own, and in a thread that no script runs in."""
    if not serving.is_shared() or get_script_run_ctx(suppress_warning=True) is None:
        return None
    who = signing.identity() or browser.token() or st.session_state.setdefault("tab", secrets.token_hex(16))
    return hmac.new(_secret(str(config.home())), who.encode(), hashlib.sha256).hexdigest()[:24]


def may_change(corpus: str) -> bool:
    return library.may_change(corpus)


def is_by_link(corpus: str) -> bool:
    """Whether others come to read it only by a link that this visit passes on."""
    return serving.is_shared() and library.may_change(corpus)


def only_own(corpus: str) -> None:
    """For what a button does: a button that is not drawn can still be pressed by who speaks to the server directly.

    :raises BadInput: for a corpus of everybody, or of another visit.
    """
    if not may_change(corpus):
        raise BadInput(READ_ONLY)


def only_offered(strategy: Mapping[str, Any] | None, embedder: str) -> None:
    """Models are named by whoever runs the server: a name may be a path of its disk, or gigabytes to download.

    :raises BadInput: for another model than those that come with the program.
    """
    named = (strategy or {}).get("params", {}).get("token_model")
    if serving.is_shared() and (named or embedder not in EMBEDDERS):
        raise BadInput("On this server only the embedders of the list can be used. Choose one of them.")


@lru_cache(maxsize=4)
def _secret(home: str) -> bytes:
    """32 random bytes, made once for each home folder; readable by its owner alone."""
    path = Path(home) / KEY_FILE
    if path.is_file() and path.stat().st_size != KEY_BYTES:
        _log.warning("%s is damaged and made anew: everybody's visit begins anew, and links still open", KEY_FILE)
        path.unlink()
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, part = tempfile.mkstemp(dir=path.parent, prefix=f"{KEY_FILE}.")
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES))
        with contextlib.suppress(FileExistsError):  # another process was first, and its is the one
            os.link(part, path)
        os.unlink(part)
    return path.read_bytes()


def _drop_indexes(folder: Path) -> None:
    for corpus in (folder / "corpora").glob("[!.]*"):
        build.delete(corpus.name)
