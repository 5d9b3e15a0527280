"""Corpora as folders: HOME/corpora/<name>/corpus.json, with the uploaded files beside it in files/.

A name is a slug; whatever people typed or uploaded is kept as text in corpus.json and is never part of a path.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from ir_core import config, visits
from ir_core.errors import BadInput, BadSource
from ir_core.text import slug

MAX_TITLE_CHARS = 120
PLACE = "corpora"
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,200}")
_STALE_S = 24 * 3600


def root() -> Path:
    """Where a new corpus goes."""
    return visits.own_home() / PLACE


def names() -> list[str]:
    """Names of the corpora that may be listed, sorted."""
    return sorted({name for home in visits.homes() for name in _names(home / PLACE)})


def own_names() -> list[str]:
    """Those of them that may be changed."""
    return sorted(_names(root()))


def every_name() -> list[str]:
    """Of all visits, for what keeps house; nobody is shown them."""
    homes = (config.home(), *(config.home() / "visits").glob("*"))
    return sorted({name for home in homes for name in _names(home / PLACE)})


def there(name: str) -> bool:
    """Also for one that is not listed: another visit's, told by a link."""
    if name in names():
        return True
    return bool(_NAME.fullmatch(name)) and visits.find(f"{PLACE}/{name}/corpus.json") is not None


def folder(name: str) -> Path:
    return visits.find(f"{PLACE}/{name}") or root() / name


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

    with FileLock(folder(name).parent / f".{name}.lock"):
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


def _names(place: Path) -> list[str]:
    found = place.iterdir() if place.is_dir() else ()
    return [path.name for path in found if path.is_dir() and not path.name.startswith(".")]


def _free_names(title: str, reserved: Iterable[str]) -> Iterator[str]:
    """In a visit with 64 random bits: whoever has a link to it can read it, and nobody guesses one."""
    start = slug(title)
    if visits.owner():
        start = f"{start[:30].strip('-')}-{secrets.token_hex(8)}"
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
