"""Processes to be killed: each is forked from one that has imported what is heavy, so that it begins at once."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["bench.fire.heavy"])
PATIENCE_S = 300.0


class Killed(Exception):
    """It was killed, by whoever started it."""


class Child:
    """One process that does ``work(*arguments)`` in ``home`` and sends what came of it."""

    def __init__(self, home: Path, work: Callable[..., Any], *arguments: Any) -> None:
        self._ours, theirs = CONTEXT.Pipe(duplex=False)
        self.process = CONTEXT.Process(target=_begin, args=(theirs, str(home), work, arguments), daemon=True)
        self.process.start()
        theirs.close()
        self._read(PATIENCE_S)  # it works from here on

    def outcome(self, kill_after_s: float = PATIENCE_S) -> Any:
        """What its work gave.

        :raises Killed: after that many seconds, by SIGKILL.
        """
        try:
            return self._read(kill_after_s)
        finally:
            self.process.kill()
            self.process.join()
            self.process.close()
            self._ours.close()

    def _read(self, seconds: float) -> Any:
        if not self._ours.poll(seconds):
            raise Killed
        return self._ours.recv()


def done(home: Path, work: Callable[..., Any], *arguments: Any) -> Any:
    """In a process of its own, undisturbed."""
    return Child(home, work, *arguments).outcome()


def _begin(to: Connection, home: str, work: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    os.environ["QUERY_PRISM_HOME"] = home
    os.environ["OPENAI_API_KEY"] = "of-a-server-on-loopback"
    to.send(None)
    to.send(work(*arguments))
