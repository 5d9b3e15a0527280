"""Whose things they are where several people share one server.

On a machine of one's own there are no visits: everything lives in the home folder. On a shared server a visit has a
folder of its own, ``HOME/visits/<owner>``, for what it uploads, runs and saves. A visit lists and changes what is in
its folder. What the home folder itself has (put there by whoever runs the server) everybody reads and nobody changes.
What another visit has can be read by its name alone: such names hold 64 random bits, so only a link tells them.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from pathlib import Path

from ir_core import config
from ir_core.errors import BadInput

MOST = 500
"""Visits' folders that are kept; beyond it the one unused longest goes."""
IDLE_S = 30 * 24 * 3600
_OWNER = re.compile(r"[0-9a-f]{24}")
_entered: ContextVar[str | None] = ContextVar("visit", default=None)
_asked: Callable[[], str | None] | None = None


def ask(resolver: Callable[[], str | None]) -> None:
    """Who is asked whose turn it is, where no thread has entered a visit: the app, whose scripts change threads."""
    global _asked
    _asked = resolver


def owner() -> str | None:
    """24 hexadecimal digits; None where there are no visits."""
    return _entered.get() or (_asked() if _asked else None)


@contextlib.contextmanager
def entered(who: str | None) -> Iterator[None]:
    """What this thread does is done for that visit; for work that goes on without the script that began it.

    :raises BadInput: for what names no visit.
    """
    if who is not None and not _OWNER.fullmatch(who):
        raise BadInput("This names no visit.")
    token = _entered.set(who)
    try:
        yield
    finally:
        _entered.reset(token)


def carried() -> Callable[[], None]:
    """For a pool of threads to begin each with (``initializer``): they work for the visit that makes the pool."""
    who = owner()

    def enter() -> None:
        _entered.set(who)

    return enter


def own_home() -> Path:
    """Where what this visit makes is kept."""
    who = owner()
    return config.home() / "visits" / who if who else config.home()


def homes() -> list[Path]:
    """Where what this visit may list is: its own folder first, then what everybody reads."""
    return list(dict.fromkeys([own_home(), config.home()]))


def find(relative: str) -> Path | None:
    """A file or folder by its path within a home: this visit's, everybody's, then any visit's, which only a link
    tells. None where there is none.

    :param relative: made of names that were checked; never what a stranger typed.
    """
    for home in homes():
        if (home / relative).exists():
            return home / relative
    return next((path for path in (config.home() / "visits").glob(f"*/{relative}")), None) if owner() else None


def is_own(path: Path) -> bool:
    """Whether this visit may change it."""
    return path.is_relative_to(own_home()) and (owner() is not None or not _in_visit(path))


def only_own(path: Path, what: str) -> None:
    """:raises BadInput: for what is another visit's, or everybody's on a shared server."""
    if not is_own(path):
        raise BadInput(f"{what} belongs to somebody else: it can be looked at here, and not changed.")


def sweep(dropped: Callable[[Path], None]) -> None:
    """Takes away what nobody used for 30 days, and of the visits beyond ``MOST`` first those that kept nothing, then
    those unused longest: people who only look around cost nobody an upload.

    :param dropped: called with each folder before it goes.
    """
    used = {folder: folder.stat().st_mtime for folder in (config.home() / "visits").glob("*")}
    old = [folder for folder, when in used.items() if time.time() - when > IDLE_S]
    least = sorted(used, key=lambda folder: (any(folder.iterdir()), used[folder]))
    for folder in dict.fromkeys([*old, *least[: max(0, len(least) - MOST)]]):
        dropped(folder)
        shutil.rmtree(folder, ignore_errors=True)


def _in_visit(path: Path) -> bool:
    return path.is_relative_to(config.home() / "visits")
