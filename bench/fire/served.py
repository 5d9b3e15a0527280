"""A shared server in a process of its own, and what it takes."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path


class Served:
    """``query-prism run --shared`` on a free port of this machine, its state in ``home``."""

    def __init__(self, home: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.log = home / "server.log"
        command = [sys.executable, "-m", "ir_core.cli", "run", "--shared", "--no-browser", "--port", str(self.port)]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                command, env={**os.environ, "QUERY_PRISM_HOME": str(home)}, stdout=log, stderr=log
            )
        began = time.monotonic()
        while not self._answers():
            if self.process.poll() is not None or time.monotonic() - began > 120:
                raise RuntimeError(self.log.read_text("utf-8", "replace"))
            time.sleep(0.02)
        self.seconds = time.monotonic() - began
        """Until the health page answered."""

    def resident_mb(self) -> float:
        """Resident memory now."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    def cpu_s(self) -> float:
        """Seconds of processor it has used, on all cores."""
        user, system = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:  # pages are still being drawn
            self.process.kill()
            self.process.wait()

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/_stcore/health", timeout=1) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False
