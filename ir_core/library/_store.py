"""Corpora as folders: HOME/corpora/<name>/corpus.json, with the uploaded files beside it in files/.

A name is a slug; whatever people typed or uploaded is kept as text in corpus.json and is never part of a path.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from ir_core import config
from ir_core.errors import BadInput, BadSource
from ir_core.text import slug

MAX_TITLE_CHARS = 120
_STALE_S = 24 * 3600


def root() -> Path:
    return config.home() / "corpora"


def names() -> list[str]:
    """Names of the corpora kept here, sorted."""
    if not root().is_dir():
        return []
    return sorted(path.name for path in root().iterdir() if path.is_dir() and not path.name.startswith("."))


def folder(name: str) -> Path:
    return root() / name


def read(name: str) -> dict[str, Any]:
    """:raises BadSource: when corpus.json is missing or damaged."""
    try:
        record = json.loads((folder(name) / "corpus.json").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BadSource(
            f"corpus.json of {name!r} cannot be read ({error}). Restore the file, or delete the corpus."
        ) from None
    if not isinstance(record, dict):
        raise BadSource(f"corpus.json of {name!r} holds no record. Restore the file, or delete the corpus.")
    return record


def update(name: str, change: Callable[[dict[str, Any]], Mapping[str, Any]]) -> dict[str, Any]:
    """Changes corpus.json under a lock, so that two processes do not undo each other's change."""
    from filelock import FileLock

    with FileLock(root() / f".{name}.lock"):
        record = read(name)
        changed = dict(change(record))
        if changed != record:
            write_json(folder(name) / "corpus.json", changed)
    return changed


def write_json(path: Path, value: Any) -> None:
    """The whole file or none of it: written beside it, then renamed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            json.dump(value, stream, ensure_ascii=False, indent=1)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def create(title: str, reserved: Iterable[str], fill: Callable[[Path], dict[str, Any]]) -> str:
    """A new corpus folder, complete or not there at all; returns its name.

    :param reserved: names that are taken elsewhere; a name whose slug equals one of theirs is not given either.
    :param fill: writes the files into a folder and returns what goes into corpus.json.
    """
    root().mkdir(parents=True, exist_ok=True)
    _sweep()
    temporary = Path(tempfile.mkdtemp(dir=root(), prefix=".new-"))
    try:
        record = fill(temporary)
        write_json(temporary / "corpus.json", record)
        for name in _free_names(title, reserved):
            try:
                temporary.rename(folder(name))
            except OSError:
                if folder(name).exists():  # somebody else took it in between
                    continue
                raise
            return name
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
    raise AssertionError("names never run out")


def remove(name: str) -> None:
    """Gone at once for every reader (one rename), then deleted."""
    grave = Path(tempfile.mkdtemp(dir=root(), prefix=".gone-"))
    folder(name).rename(grave / "corpus")
    shutil.rmtree(grave, ignore_errors=True)
    (root() / f".{name}.lock").unlink(missing_ok=True)


def size_of(path: Path) -> int:
    """Bytes of the files under a folder; one that another process deletes meanwhile counts nothing."""
    total = 0
    for folder_path, _, files in os.walk(path):
        for file in files:
            with suppress(OSError):
                total += os.lstat(os.path.join(folder_path, file)).st_size
    return total


def checked_title(title: str) -> str:
    """One line, not blank, at most 120 characters.

    :raises BadInput: when it is blank or longer.
    """
    plain = " ".join(title.replace("\x00", "").encode("utf-8", "replace").decode().split())
    if not plain:
        raise BadInput("A corpus needs a title; this one is blank. Type a few words.")
    if len(plain) > MAX_TITLE_CHARS:
        raise BadInput(f"The title has {len(plain)} characters; {MAX_TITLE_CHARS} is the most. Shorten it.")
    return plain


def unique_title(title: str, taken: Iterable[str]) -> str:
    """``title``, or ``title (2)`` … when a corpus has it already."""
    known = {item.casefold() for item in taken}
    own, count = title, 2
    while own.casefold() in known:
        own, count = f"{title} ({count})", count + 1
    return own


def _free_names(title: str, reserved: Iterable[str]) -> Iterator[str]:
    start = slug(title)
    taken = {slug(name) for name in (*reserved, *names())}
    count = 1
    while True:
        name = start if count == 1 else f"{start}-{count}"
        if name not in taken:
            yield name
        count += 1


def _sweep() -> None:
    """What a killed process left half made or half deleted, a day later."""
    for path in root().glob(".*-*"):
        if (
            path.is_dir()
            and path.name.startswith((".new-", ".gone-"))
            and time.time() - path.stat().st_mtime > _STALE_S
        ):
            shutil.rmtree(path, ignore_errors=True)
