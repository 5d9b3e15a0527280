"""Recording what is written in this visit, to be taken away as a file and replayed with no key."""

from __future__ import annotations

import contextlib
import secrets
from pathlib import Path

import streamlit as st

from ir_core import visits
from ir_core.protocols import Writer
from ir_core.writers.recorded import RecordedWriter, RecordingWriter
from pages._ui import numbers, safe

MAX_MB = 8
MOST_FILES = 40


def path() -> Path | None:
    """Where this visit records to; None while it does not. To be called by the script."""
    state = st.session_state
    return _file() if state.get("record_on") and state["writer"] != "recorded" else None


def recording(writer: Writer, to: Path | None) -> Writer:
    """The writer, with what it writes put into ``to``. A replay, and what goes beyond the limit, is not recorded."""
    if to is None or isinstance(writer, RecordedWriter) or _size(to) > MAX_MB * 1_000_000:
        return writer
    with contextlib.suppress(OSError):  # the writer then says what is wrong
        to.parent.mkdir(parents=True, exist_ok=True)
    made = RecordingWriter(writer, to)
    _drop_oldest(to)
    return made


def section() -> None:
    on = st.toggle(
        "Record what is written",
        key="record_on",
        persist_state="session",
        help="Into a file that replays it with no key: queries, texts, model, times and costs. No key is in it.",
    )
    size = _size(_file())
    if not size:
        if on:
            safe.draw('<p class="qp-facts">The next comparison is recorded.</p>')
        return
    if size > MAX_MB * 1_000_000:
        safe.notice("warning", f"The recording is full ({MAX_MB} MB). Download it and start a new one.")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.download_button(
            f"Download ({numbers.size(size)})",
            _file().read_bytes,
            "query-prism-recording.jsonl",
            "application/jsonl",
            key="record_download",
            on_click="ignore",
        )
        st.button("Start anew", key="record_anew", on_click=_anew, help="Deletes what was recorded in this visit.")


def _anew() -> None:
    _file().unlink(missing_ok=True)


def _file() -> Path:
    """One per visit, under a name nobody can guess."""
    name = st.session_state.setdefault("record_name", secrets.token_hex(12))
    return visits.own_home() / "recordings" / "made" / f"{name}.jsonl"


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _drop_oldest(newest: Path) -> None:
    others = [one for one in newest.parent.glob("*.jsonl") if one != newest]
    others.sort(key=lambda one: one.stat().st_mtime)
    for one in others[: max(0, len(others) + 1 - MOST_FILES)]:
        one.unlink(missing_ok=True)
