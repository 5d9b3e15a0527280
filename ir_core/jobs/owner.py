"""Who runs a job: a file lock, which the system gives up with the process that holds it, however it ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ir_core.errors import BadInput

PATIENCE_S = 2.0
"""Whoever only looks whether a job has an owner holds its lock for an instant."""


@contextmanager
def owned(folder: Path, patience: float = PATIENCE_S) -> Iterator[None]:
    """The right to run the job in ``folder``, or to remove it; never two at a time, in any process.

    :raises BadInput: when somebody else has it.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(_lock_of(folder), thread_local=False)
    try:
        lock.acquire(timeout=patience)
    except Timeout:
        raise BadInput(f"The job {folder.name} is under way already. Pause it there first.") from None
    try:
        yield
    finally:
        lock.release()


def has_owner(folder: Path) -> bool:
    try:
        with owned(folder, 0):
            return False
    except BadInput:
        return True


def _lock_of(folder: Path) -> Path:
    """Beside the folder, so that the folder can be removed while the lock is held."""
    return folder.with_name(f".{folder.name}.lock")
