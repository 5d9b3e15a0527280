"""Replaying a recording: the file a visitor brings, kept by its content's hash among a bounded number of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from ir_core import library, prompts, visits
from ir_core.errors import BadInput, BadSource, QueryPrismError
from ir_core.protocols import Writer
from ir_core.text import sha256
from ir_core.writers.recorded import RecordedWriter, read_recording
from pages._ui import numbers, resources, safe

MAX_MB = 8
MOST_FILES = 40
KINDS = ["jsonl", "tsv", "txt"]


@dataclass(frozen=True, slots=True)
class Recording:
    """``task`` is what a plain file's texts are for; None where the file says it itself."""

    path: Path
    label: str
    told: str
    task: str | None = None


def chosen() -> Recording | None:
    """What this visit replays."""
    found: Recording | None = st.session_state.get("recording")
    return found


def replay(recording: Recording, index: Any) -> Writer:
    """:raises BadInput: when the file is gone, or cannot be read over this index."""
    return resources.replay(str(recording.path), recording.task, index)


def section() -> None:
    state = st.session_state
    number = state.setdefault("recording_number", 0)
    st.file_uploader(
        "File of a recording",
        type=KINDS,
        key=f"recording_file_{number}",
        max_upload_size=MAX_MB,
        on_change=_take,
        args=(f"recording_file_{number}",),
        help="One recorded here or by the command line with --record; or plain reformulations, as JSON lines or "
        "separated by tabs.",
    )
    if state.get("recording_plain"):
        st.selectbox(
            "What its texts are for",
            prompts.tasks(),
            index=None,
            key="recording_task",
            format_func=lambda task: task.replace("_", " "),
            on_change=_name_task,
        )
    if problem := state.get("recording_problem"):
        safe.notice("error", problem, detail="What was chosen before stays." if chosen() else "")
    if state.get("recording_plain") and not state.get("recording_task"):
        before = f" Until then the one before is replayed: {found.label}." if (found := chosen()) else ""
        said = f"The file holds plain texts; say what they are for.{before}"
        safe.draw(f'<p class="qp-facts">{safe.text(said)}</p>')
    elif found := chosen():
        safe.draw(f'<p class="qp-facts"><b>{safe.text(found.label)}</b><br>{safe.text(found.told)}</p>')
    elif not state.get("recording_problem"):
        safe.draw('<p class="qp-facts">Shows what a model wrote on another day: no key, no network, no cost.</p>')


def _take(key: str) -> None:
    """The file that was brought; the box is empty again after it."""
    state = st.session_state
    file = state[key]
    state["recording_number"] += 1
    state["recording_plain"], state["recording_task"] = None, None
    if file is not None:
        _open(file.name, file.getvalue(), None)


def _name_task() -> None:
    state = st.session_state
    path = Path(state["recording_plain"])
    if state["recording_task"] and path.is_file():
        _open(path.name, path.read_bytes(), state["recording_task"])


def _open(name: str, content: bytes, task: str | None) -> None:
    """Use it, or say why not; what was used before then stays."""
    state = st.session_state
    state["recording_problem"] = None
    try:
        path = _kept(name, content)
        state["recording"] = _described(path, task)
        state["recording_plain"] = str(path) if task else None
    except BadSource as error:
        state["recording_problem"] = str(error)
    except BadInput:  # it does not say what its texts are for, which is asked next
        state["recording_plain"] = str(path)
    except (OSError, QueryPrismError) as error:
        state["recording_problem"] = f"The recording could not be kept: {error}"


def _described(path: Path, task: str | None) -> Recording:
    queries = _queries(st.session_state["corpus"]) if task else ()
    entries = read_recording(path, task=task, queries=queries)
    label = RecordedWriter(path, task=task, queries=queries).label
    tasks = ", ".join(sorted({entry.task.replace("_", " ") for entry in entries}))
    asked = numbers.count(len({entry.query for entry in entries}), "query", "queries")
    return Recording(path, label, f"{asked}: {tasks}", task)


def _queries(corpus: str | None) -> tuple[Any, ...]:
    return tuple(library.corpus(corpus, paths=False).queries()) if corpus else ()


def _kept(name: str, content: bytes) -> Path:
    """In the home, under the hash of its content.

    :raises BadSource: for a file that is too large.
    """
    if len(content) > MAX_MB * 1_000_000:
        raise BadSource(
            f"The recording has {len(content) / 1e6:.1f} MB; the limit is {MAX_MB} MB. Split it, or record less."
        )
    store = visits.own_home() / "recordings" / "brought"
    short = re.sub(r"[^\w.-]+", "_", Path(name).name)[-80:].lstrip(".") or "recording"
    folder = store / sha256(content.decode("utf-8", "replace"))[:24]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / short
    path.write_bytes(content)
    oldest_first = sorted((one for one in store.glob("*/*") if one != path), key=lambda one: one.stat().st_mtime)
    for one in oldest_first[: max(0, len(oldest_first) + 1 - MOST_FILES)]:
        one.unlink(missing_ok=True)
        if not any(one.parent.iterdir()):
            one.parent.rmdir()
    return path
