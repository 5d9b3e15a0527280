"""Bringing documents: uploads, a folder or the installed packages of this machine.

Sizes and kinds of files are checked here again: the browser's own checks bind nobody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from ir_core import library, loaders
from ir_core.errors import BadSource, NeedsColumn, QueryPrismError
from ir_core.library import Corpus
from pages._ui import resources, safe, serving, trouble, visit

MAX_FILES = 200


def bring() -> None:
    with st.popover("Upload documents", key="upload_box"):
        _upload()
    if serving.on_this_machine():
        with st.popover("Use a folder", key="folder_box"):
            _folder()
        st.button("Installed packages", key="environment", on_click=_add, args=(_from_packages,))


def _upload() -> None:
    files = st.file_uploader(
        "Files",
        accept_multiple_files=True,
        type=sorted(suffix.lstrip(".") for suffix in loaders.suffixes()),
        key="files",
        help=_kinds(),
    )
    title = st.text_input("Name of the corpus", key="upload_title", max_chars=80, placeholder="My documents")
    column = _column("upload_column")
    if serving.is_shared():
        safe.draw(safe.block(visit.THE_KEY, "qp-facts", "p"))
    if st.button("Add", type="primary", key="upload_add", disabled=not files):
        _add(lambda: _from_files(title, files, column))
        st.rerun()


def _kinds() -> str:
    """Every kind of file that is read, by its name and endings."""
    kinds = sorted((item.label, " ".join(item.suffixes)) for item in loaders.formats() if any(item.suffixes))
    listed = ", ".join(f"{label} ({endings.strip()})" for label, endings in kinds)
    return safe.label(f"What is read: {listed}. What cannot be read is named with its reason.", 1_000)


def _from_files(title: str, files: list[Any], column: str | None) -> Corpus:
    """:raises BadSource: for too many files, too large ones, or a kind nobody reads."""
    limit = int(st.get_option("server.maxUploadSize")) * 1_000_000
    known = loaders.suffixes()
    if len(files) > MAX_FILES:
        raise BadSource(
            f"{len(files)} files were chosen; up to {MAX_FILES} can be added at once. Put them into one .zip."
        )
    for file in files:
        suffix = "." + file.name.rsplit(".", 1)[-1].lower() if "." in file.name else ""
        if suffix not in known:
            raise BadSource(
                f"{file.name!r} cannot be read: {suffix or 'no suffix'} is not among {', '.join(sorted(known))}."
            )
        if file.size > limit:
            raise BadSource(
                f"{file.name!r} has {file.size / 1e6:.1f} MB; the limit is {limit / 1e6:.0f} MB. Split it."
            )
    content = [(file.name, file.getvalue()) for file in files]
    return library.add_upload(title.strip() or files[0].name, content, text_column=column)


def _folder() -> None:
    path = st.text_input(
        "Folder on this machine", key="folder_path", max_chars=1_000, placeholder="/home/me/documents"
    )
    title = st.text_input("Name of the corpus", key="folder_title", max_chars=80, placeholder="the folder's own name")
    column = _column("folder_column")
    if st.button("Add", type="primary", key="folder_add", disabled=not path.strip()):
        _add(lambda: _from_folder(title, path.strip(), column))
        st.rerun()


def _from_folder(title: str, path: str, column: str | None) -> Corpus:
    """The library checks once more where the server listens: a widget that is not drawn can still be sent."""
    name = title.strip() or path.rstrip("/\\").replace("\\", "/").rsplit("/", 1)[-1]
    return library.add_folder(name, path, server_address=serving.own_address(), text_column=column)


def _from_packages() -> Corpus:
    return library.add_environment(server_address=serving.own_address())


def _column(key: str) -> str | None:
    """Asked only once a table without a known text column was met."""
    columns = st.session_state.get("columns")
    if not columns:
        return None
    return st.selectbox("Column that holds the text", columns, key=key, index=None, placeholder="choose one")


def _add(work: Callable[[], Corpus]) -> None:
    """Run ``work``; the outcome is shown at the top of the page in the next run."""
    state = st.session_state
    state["columns"] = None
    try:
        corpus = work()
    except NeedsColumn as error:
        state["columns"] = list(error.columns)
        state["added"] = (
            "warning",
            f"{error} Choose the column below “Name of the corpus”, and press Add again.",
        )
    except QueryPrismError as error:
        state["added"] = ("error", str(error))
    except Exception as error:
        state["added"] = ("error", trouble.report(error))
    else:
        resources.forget_corpora()
        state["corpus"] = corpus.info.name
        state["added"] = (
            "success",
            f"{corpus.info.title} was added. See below what would be built, then build.",
        )


def outcome() -> None:
    """What came of it, until another corpus is chosen or built."""
    added = st.session_state.get("added")
    if added:
        kind, sentence = added
        safe.notice(kind, sentence)
    passing = st.session_state.pop("added_passing", None)
    if passing:
        safe.passing(passing)


def say(sentence: str) -> None:
    """Good news for the next run: at the top, and passing by where the page is scrolled down."""
    st.session_state["added"], st.session_state["added_passing"] = ("success", sentence), sentence


def problem(error: QueryPrismError) -> None:
    st.session_state["added"] = ("error", str(error))


def forget() -> None:
    st.session_state["added"] = None
