"""How soon a server is there."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from bench.fire.served import Served
from bench.fire.wire import Visitor


def start() -> Mapping[str, float]:
    """The quicker of two starts on a home without an index: from the command to the health page, and from there to
    the end of the first page."""
    health, page = [], []
    for _ in range(2):
        with tempfile.TemporaryDirectory() as home:
            served = Served(Path(home))
            try:
                health.append(served.seconds)
                visitor = Visitor(served.port)
                page.append(visitor.open().client_s)
                visitor.close()
            finally:
                served.stop()
    return {"health page, s": min(health), "first page after it, s": min(page)}
