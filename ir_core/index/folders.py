"""Where builds live, and how a finished one takes the place of another without anybody seeing half of it.

``HOME/indexes/<corpus>/<fingerprint>/`` is one build; the file ``current`` beside them holds the fingerprint that is
searched. A build is assembled in a folder whose name begins with a dot and renamed when it is complete; ``current``
is then replaced, by one rename each. One file lock per corpus makes builders take turns; readers need none.
"""

from __future__ import annotations

import logging
import os
import shutil
import uuid
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from ir_core import config
from ir_core.errors import IndexProblem
from ir_core.index import chroma_write
from ir_core.index.chroma_place import GRAPH, VECTORS, held_below, held_by, unreferenced
from ir_core.index.opened import close_indexes, is_open
from ir_core.index.progress import Job
from ir_core.protocols import Progress
from ir_core.text import slug

KEEP = 3
"""Builds of one corpus: the current one and the last used, to go back to without waiting."""
KEEP_FOREIGN = 20
"""Folders of corpora that are not in the library: whatever was searched by its path."""
CURRENT = "current"
_log = logging.getLogger(__name__)


def corpus_folder(corpus: str, home: Path | None = None) -> Path:
    """Different names give different folders, even where their slugs agree."""
    short = slug(corpus)
    if short != corpus:
        short = f"{short}-{sha256(corpus.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
    return (home or config.home()) / "indexes" / short


def current_fingerprint(folder: Path) -> str | None:
    """The build that is searched, or None before the first."""
    try:
        found = (folder / CURRENT).read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return found if found.isalnum() else None  # a path of other bytes may not even be asked for


def fingerprint_in_use(folder: Path, corpus: str) -> str | None:
    """As ``current_fingerprint``.

    :raises IndexProblem: when the file that says so is there and damaged.
    """
    found = current_fingerprint(folder)
    if found is None and (folder / CURRENT).exists():
        raise IndexProblem(
            f"The file that says which index of {corpus!r} is searched is damaged. Build the index again; what was "
            "embedded is kept."
        )
    return found


def current_build(folder: Path) -> Path | None:
    """The folder of that build."""
    fingerprint = current_fingerprint(folder)
    return folder / fingerprint if fingerprint else None


@contextmanager
def turn(folder: Path, job: Job) -> Iterator[None]:
    """The right to change ``folder``, once other builders, here or in another process, are done.

    :raises Cancelled: while waiting.
    """
    from filelock import FileLock, Timeout

    folder.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(lock_of(folder), thread_local=False)
    while True:
        try:
            lock.acquire(timeout=0.25)
            break
        except Timeout:
            job.check()
            job.tell(Progress("Waiting for another build of this corpus", 0, 1))
    try:
        yield
    finally:
        lock.release()


@contextmanager
def workshop(folder: Path) -> Iterator[Path]:
    """An empty folder to assemble a build in; gone afterwards unless it was renamed. What killed builders left
    behind goes first: whoever has the turn knows that nobody works there."""
    folder.mkdir(parents=True, exist_ok=True)
    for leftover in folder.glob(".*"):
        shutil.rmtree(leftover, ignore_errors=True) if leftover.is_dir() else leftover.unlink(missing_ok=True)
    for build in builds_of(folder):
        tidy(build)
    place = folder / f".{uuid.uuid4().hex[:12]}"
    place.mkdir()
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def tidy(build: Path) -> None:
    """Removes the vectors an interrupted move left in a build that is searched elsewhere."""
    if held_by(build):
        (build / VECTORS).unlink(missing_ok=True)
        shutil.rmtree(build / GRAPH, ignore_errors=True)


def swap_in(place: Path, target: Path) -> None:
    """Renames the finished ``place`` to ``target``, its bytes safely on disk first."""
    sync(place)
    if target.exists():  # only a damaged one can be in the way
        close_indexes(target)
        target.replace(target.with_name(f".{uuid.uuid4().hex[:12]}"))
    place.replace(target)
    _fsync(target.parent)


def use(target: Path, make_current: bool = True) -> None:
    """The build counts as used now. Of the corpus' others the newest stay, ``KEEP`` in all, and always the current.

    :param make_current: whether searches go to this one from now on; where there is no current one they do anyway.
    """
    folder = target.parent
    now = current_fingerprint(folder)
    if now is None and (folder / CURRENT).exists():
        _log.warning("%s, which says which index is searched, was damaged and is written anew.", folder / CURRENT)
    if make_current or now is None or not (folder / now).is_dir():
        now = target.name
        written = folder / f".{CURRENT}"
        written.write_text(now, "ascii")
        _fsync(written)
        written.replace(folder / CURRENT)
        _fsync(folder)
    os.utime(target)
    kept = {target.name, now}
    others = sorted((one for one in builds_of(folder) if one.name not in kept), key=_used, reverse=True)
    for old in others[KEEP - len(kept) :]:
        remove(old)


def forget_foreign(known: Collection[str], home: Path | None = None, keep: int = KEEP_FOREIGN) -> list[str]:
    """Removes the indexes of corpora that nobody knows, the least recently used first, until ``keep`` are left.

    One that is open in this process, or being built in any, stays.

    :param known: names of the corpora there are.
    :returns: the names of the folders that went.
    """
    from filelock import FileLock, Timeout

    root = (home or config.home()) / "indexes"
    own = {corpus_folder(name, home).name for name in known}
    foreign = sorted((one for one in builds_of(root) if one.name not in own), key=_last_use, reverse=True)
    gone = []
    for folder in foreign[keep:]:
        lock = FileLock(lock_of(folder), thread_local=False)
        try:
            with lock.acquire(timeout=0):
                if is_open(folder):
                    continue
                remove(folder)
                lock_of(folder).unlink(missing_ok=True)  # whoever waits for it sees that it went
        except (Timeout, IndexProblem, OSError):
            continue  # the next build tries again
        gone.append(folder.name)
    return gone


def _last_use(folder: Path) -> int:
    return max((_used(build) for build in builds_of(folder)), default=0)


def _used(build: Path) -> int:
    try:
        return build.stat().st_mtime_ns
    except OSError:
        return 0  # another process has just removed it


def builds_of(folder: Path) -> list[Path]:
    return [path for path in folder.glob("[!.]*") if path.is_dir()]


def lock_of(folder: Path) -> Path:
    """The file that is locked by whoever has the turn in ``folder``."""
    return folder.with_name(f".{folder.name}.lock")


def remove(folder: Path) -> None:
    """Removes the builds in ``folder``, or the build that it is, and the collections that no other is searched in.

    :raises IndexProblem: when the disk refuses.
    """
    close_indexes(folder)
    gone = held_below(folder)
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        return
    except OSError as error:
        raise IndexProblem(f"The index folder {folder} could not be removed ({error}). Remove it by hand.") from error
    chroma_write.drop(unreferenced(gone, folder.parent))


def sync(place: Path, below: bool = True) -> None:
    """Brings a folder's bytes to the disk, and those of all it holds."""
    for path in [*(place.rglob("*") if below else ()), place]:
        _fsync(path)


def _fsync(path: Path) -> None:
    if os.name == "nt" and path.is_dir():
        return  # Windows opens no folders
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
