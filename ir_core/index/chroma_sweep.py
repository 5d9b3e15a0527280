"""What killed builds and interrupted moves of this home left on Chroma servers is removed.

Before the next build there, and once at the start of every process. Corpora that are being built, here or in another
process, are left alone.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from pathlib import Path

from ir_core import config
from ir_core.errors import QueryPrismError
from ir_core.index import chroma_write, folders
from ir_core.index.chroma_client import answers
from ir_core.index.chroma_place import EMBEDDED, Place, configured, held_below, unreferenced

_log = logging.getLogger(__name__)
_started: set[Path] = set()


def sweep(place: Place, home: Path, holding: Path | None = None) -> None:
    """Drops the collections of this home on ``place`` that no build is searched in.

    :param holding: the corpus' folder whose turn the caller has.
    :raises BadSetting, IndexProblem: when the place cannot be asked.
    """
    from filelock import FileLock, Timeout

    root = home / "indexes"
    for name, helds in chroma_write.left_behind(place, home, held_below(root)).items():
        folder = root / Path(name).name
        if folder == holding:
            chroma_write.drop(unreferenced(helds, folder))
            continue
        lock = folders.lock_of(folder)
        with suppress(Timeout, OSError), FileLock(lock, thread_local=False).acquire(timeout=0):
            chroma_write.drop(unreferenced(helds, folder))
            if not folder.exists():
                lock.unlink(missing_ok=True)


def at_start(home: Path | None = None) -> None:
    """Sweeps, at its first call, every place that is configured or used; the log names one that does not answer."""
    place = (home or config.home()).resolve()
    if place in _started:
        return
    _started.add(place)
    try:
        used = {held.place for held in held_below(place / "indexes")} | {configured(place) or EMBEDDED}
        for one in used - {EMBEDDED}:
            if answers(one):
                sweep(one, place)
            else:
                _log.info("collections left behind on %s are not looked for now: it does not answer", one.label)
    except QueryPrismError as error:
        _log.warning("collections left behind by killed builds are not looked for now: %s", error)
