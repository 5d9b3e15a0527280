"""Corpora that people add: uploads (kept here), folders (read where they are) and the running environment."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ir_core import config, loaders, visits
from ir_core.errors import BadInput, BadSource, UnknownName
from ir_core.library import _store, samples
from ir_core.library._corpus import Corpus, told_by
from ir_core.library._info import CorpusInfo
from ir_core.loaders import Loaded
from ir_core.text import slug

MAX_UPLOAD_BYTES = 200_000_000
MAX_KEPT_BYTES = 2_000_000_000
"""All uploads together; people delete what they no longer need."""
MOST_OF_A_VISIT, MAX_VISIT_BYTES = 5, 60_000_000
"""Of each visit on a shared server."""


def info(name: str) -> CorpusInfo:
    """A damaged corpus is described as such, so that it can be seen and deleted."""
    try:
        record = _store.read(name)
    except BadSource as error:
        return CorpusInfo(name, name, "upload", str(error), bytes=_store.size_of(_store.folder(name)))
    path = Path(str(record["path"])) if record.get("path") else None
    told = CorpusInfo(name, name, "upload")
    if path and path.is_dir():
        try:
            told = samples.at(path, name, "folder")
        except BadSource as error:
            told = replace(told, description=str(error))
    strategy = record.get("default_strategy")
    return replace(
        told,
        title=str(record.get("title") or name),
        kind=record.get("kind") or "upload",
        language=told.language or record.get("language"),
        default_strategy=told.default_strategy or ({"name": strategy, "params": {}} if strategy else None),
        n_documents=record.get("n_documents"),
        bytes=_store.size_of(_store.folder(name)),
        path=path,
        created=str(record.get("created") or ""),
        text_column=record.get("text_column"),
        settings=record.get("settings") or {},
    )


def add_upload(title: str, files: Sequence[tuple[str, bytes]], *, text_column: str | None = None) -> Corpus:
    """Keeps uploaded (name, bytes) as a new corpus. Nothing is kept when nothing can be read.

    :raises BadInput: for a blank or overlong title.
    :raises BadSource: for no files, too many bytes, or (NeedsColumn, NothingRead) nothing that can be read.
    """
    title = _store.checked_title(title)
    total = sum(len(data) for _, data in files)
    if not files:
        raise BadSource("No file was uploaded. Choose at least one.")
    if total > MAX_UPLOAD_BYTES:
        raise BadSource(
            f"The upload has {total / 1e6:,.0f} MB; {MAX_UPLOAD_BYTES / 1e6:,.0f} MB is the most. Split it."
        )
    _check_room(total)
    loaded = loaders.load_uploads(files, text_column=text_column)

    def fill(folder: Path) -> dict[str, Any]:
        (folder / "files").mkdir()
        listed = []
        for number, (name, data) in enumerate(loaders.upload_order(files), start=1):
            stored = f"{number:05d}-{slug(name)}"
            (folder / "files" / stored).write_bytes(data)
            listed.append({"stored": stored, "name": loaders.clean_name(name)})
        return _record(title, "upload", loaded, text_column=text_column, files=listed)

    return _created(title, fill)


def add_folder(title: str, path: str | Path, *, server_address: str | None, text_column: str | None = None) -> Corpus:
    """A folder (or file) of this machine as a corpus, read anew at each load.

    :param server_address: what the server is bound to; folders can be typed on loopback only, since anybody who
        reaches the page could otherwise read this machine's files.
    :raises BadInput: on any other address, or for a bad title.
    :raises BadSource: when there is no such path or nothing in it can be read.
    """
    _local_only(server_address, "A folder of the server's machine")
    title = _store.checked_title(title)
    whole = Path(path).expanduser().resolve()
    loaded = loaders.load(whole, text_column=text_column)
    record = _record(title, "folder", loaded, text_column=text_column, path=str(whole))
    return _created(title, lambda _: record)


def add_environment(title: str = "Installed packages", *, server_address: str | None) -> Corpus:
    """The running environment as a corpus; the one there is, where it was added before. Errors as ``add_folder``."""
    _local_only(server_address, "The list of what is installed on the server")
    for name in _store.names():
        if (found := info(name)).kind == "environment":
            return Corpus(found)
    record = _record(_store.checked_title(title), "environment", loaders.load_environment())
    return _created(title, lambda _: record)


def rename(name: str, title: str) -> None:
    """Gives an own corpus another title; its name, and so its links and index, stay.

    :raises BadInput: for a sample, or a blank or overlong title. :raises UnknownName: for no such corpus.
    """
    _own_only(name, "renamed")
    title = _store.checked_title(title)
    own_title = _store.unique_title(title, _titles(name))
    _store.update(name, lambda record: {**record, "title": own_title})


def delete(name: str) -> None:
    """Deletes an own corpus' files, indexes and query sets, which a later corpus of that name would take for its
    own; a folder that was read where it is stays. Errors as ``rename``, and IndexProblem when the disk refuses."""
    from ir_core import build
    from ir_core.library.sets import delete_query_sets

    _own_only(name, "deleted")
    build.delete(name)
    _store.remove(name)
    delete_query_sets(name)


def set_text_column(name: str, column: str | None) -> None:
    """Which column holds the text of an own corpus' records. Errors as ``rename``."""
    _own_only(name, "changed")
    _store.update(name, lambda record: {**record, "text_column": column})


def may_change(name: str) -> bool:
    """Whether this visit may build, rename or delete it: on a shared server only what it uploaded itself."""
    return visits.owner() is None or name in _store.own_names()


def _check_room(total: int) -> None:
    shared = visits.owner() is not None
    if shared and len(_store.own_names()) >= MOST_OF_A_VISIT:
        raise BadSource(f"A visit may keep {MOST_OF_A_VISIT} corpora on this server. Delete one of yours first.")
    kept, most = _store.size_of(_store.root()), MAX_VISIT_BYTES if shared else MAX_KEPT_BYTES
    if kept + total > most:
        raise BadSource(
            f"Uploads take {kept / 1e6:,.0f} MB already; {most / 1e6:,.0f} MB is the most. Delete a corpus that is "
            "no longer needed."
        )


def _created(title: str, fill: Callable[[Path], dict[str, Any]]) -> Corpus:
    with config.keeping("The corpus"):
        return Corpus(info(_store.create(title, samples.names(), fill)))


def _titles(apart_from: str | None = None) -> list[str]:
    return [info(name).title for name in _store.names() if name != apart_from]


def _record(title: str, kind: str, loaded: Loaded, **more: Any) -> dict[str, Any]:
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    title = _store.unique_title(title, _titles())
    return {"version": 1, "title": title, "kind": kind, "created": now, **more, **told_by(loaded), "settings": {}}


def _local_only(server_address: str | None, what: str) -> None:
    if not config.is_loopback(server_address):
        raise BadInput(
            f"{what} cannot be opened here: the server listens on {server_address or 'every address'}, so others "
            "can reach it. Upload the files, or start the server on 127.0.0.1."
        )


def _own_only(name: str, what: str) -> None:
    if name in samples.names():
        raise BadInput(
            f"{name!r} is a sample that comes with the program and cannot be {what}. Upload a corpus of your own."
        )
    if name not in _store.own_names():
        raise UnknownName("corpus of your own", name, _store.own_names())
