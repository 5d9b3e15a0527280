"""A model on loopback that counts what it is asked, and whose every reply carries a mark of its own."""

from __future__ import annotations

import json
import re
import threading
import time
from collections import Counter
from types import TracebackType
from typing import Any

from tests.llm_server import LlmServer

SECONDS = 0.05
"""What a reply takes, so that a run takes a second or two."""
_MARK = re.compile(rb"mark\d{4}x")


class Model:
    """The same request has the same reply, also in a later run. ``asked`` counts requests by their reply's mark."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self._marks: dict[str, str] = {}
        self._lock = threading.Lock()
        self.server = LlmServer(self._reply)

    def __enter__(self) -> Model:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.server.close()

    @property
    def base_url(self) -> str:
        return self.server.base_url

    def taken(self) -> Counter[str]:
        """What was asked since the last time."""
        with self._lock:
            asked, self.asked = self.asked, Counter()
        return asked

    def _reply(self, body: dict[str, Any]) -> str:
        text = "\n".join(message["content"] for message in body["messages"])
        with self._lock:
            request = json.dumps(body, sort_keys=True)  # of several samples each has a seed of its own
            mark = self._marks.setdefault(request, f"mark{len(self._marks):04d}x")
            self.asked[mark] += 1
        time.sleep(SECONDS)
        if "JSON" in text:
            return json.dumps([f"{word} wording {mark}" for word in ("first", "second", "third")])
        return f"one wording {mark}"


def marks_in(data: bytes) -> frozenset[str]:
    """The replies that were kept in a file."""
    return frozenset(mark.decode() for mark in _MARK.findall(data))
