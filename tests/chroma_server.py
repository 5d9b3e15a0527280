"""A real Chroma server on loopback, which a test may kill, hold and start again on what it kept."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx

from ir_core.index.chroma_client import asking
from ir_core.index.chroma_place import place_of
from ir_core.index.chroma_write import owner


class ChromaServer:
    """``url`` stays the same over restarts; the process is ended by its id."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> ChromaServer:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def start(self) -> None:
        command = [str(Path(sys.executable).with_name("chroma")), "run", "--path", str(self.folder)]
        self._process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--port", str(self.port)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        until = time.monotonic() + 60
        while True:
            try:
                httpx.get(f"{self.url}/api/v2/heartbeat", timeout=2).raise_for_status()
                return
            except httpx.HTTPError:
                if time.monotonic() > until or self._process.poll() is not None:
                    raise
                time.sleep(0.05)

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(30)
            self._process = None

    def hold(self) -> None:
        """It takes connections and answers nothing, until ``go_on``."""
        os.kill(self.pid, signal.SIGSTOP)
        os.waitid(os.P_PID, self.pid, os.WSTOPPED | os.WNOWAIT)  # a thread may answer once more before all stand

    def go_on(self) -> None:
        os.kill(self.pid, signal.SIGCONT)


def collections(server: ChromaServer, home: Path) -> set[str]:
    """The names of those that this home made."""
    with asking(place_of(server.url)) as client:
        mine, found = owner(home), client.list_collections()
    return {one.name for one in found if (one.metadata or {}).get("query_prism_home") == mine}
