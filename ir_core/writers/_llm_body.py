"""What a server really sent: kept beside what the client makes of it, which hides whatever is no stream of a chat.

It is quoted on the card where no reply came, and read where a server answered in one piece though a stream was asked
for (OpenAI's ``chat.completion`` in place of ``chat.completion.chunk``).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections.abc import AsyncIterator
from typing import Any

from ir_core.secrets import Secret, redacted

KEPT_BYTES = 256 * 1024
"""Room for the longest reply that is read, every character of it written as an escape."""
QUOTED_CHARS = 300
"""Enough for an error's sentence or a page's title."""
PAGE_S = 2.0
"""How long the rest of a page that is no reply is waited for."""
_UNREADABLE = re.compile(r"(?:\ufffd\s*)+")


class Body:
    """The first bytes of a response of httpx, decoded from its content encoding, kept as the client reads them.

    :param stream: litellm's wrapper; where the client shows no response below it, nothing is kept.
    """

    def __init__(self, stream: Any) -> None:
        self._kept = bytearray()
        self._response = getattr(getattr(stream, "completion_stream", None), "response", None)
        self._read = getattr(self._response, "aiter_bytes", None)
        if self._response is not None and self._read is not None:
            self._response.aiter_bytes = self._aiter_bytes

    async def _aiter_bytes(self, *args: Any, **options: Any) -> AsyncIterator[bytes]:
        assert self._read is not None
        async for chunk in self._read(*args, **options):
            self._kept += chunk[: max(0, KEPT_BYTES - len(self._kept))]
            yield chunk

    async def read_page(self) -> None:
        """Reads what can be quoted of it; a page that does not come is none."""
        with contextlib.suppress(Exception):
            async with asyncio.timeout(PAGE_S):
                async for _ in self._aiter_bytes():
                    if len(self._kept) > 20 * QUOTED_CHARS:
                        return

    @property
    def text(self) -> str:
        return self._kept.decode("utf-8", "replace")

    def whole_reply(self) -> tuple[str, dict[str, Any] | None] | None:
        """Text and usage of a reply that came in one piece; None where this is none. Usage is None where tokens were
        not counted."""
        try:
            reply = json.loads(self._kept)
            said = reply["choices"][0]["message"]["content"]
        except (ValueError, LookupError, TypeError, RecursionError):
            return None
        if not isinstance(said, str):
            return None
        usage = reply.get("usage")
        names = ("prompt_tokens", "completion_tokens")
        counted = isinstance(usage, dict) and all(type(usage.get(name)) is int for name in names)
        return said, usage if counted else None


def quoted(text: str, key: Secret | None) -> str:
    """The beginning of a body on one line: without keys and control characters, at most ``QUOTED_CHARS`` long."""
    printable = "".join(char if char.isprintable() else " " for char in text if char != "\0")
    line = redacted(" ".join(_UNREADABLE.sub("\ufffd ", printable).split()), key)
    return line if len(line) <= QUOTED_CHARS else line[: QUOTED_CHARS - 1].rstrip() + "…"


def body_of(errors: Any) -> str:
    """The body behind a client's exceptions, the first that has one; "" where none was read."""
    for error in errors:
        with contextlib.suppress(Exception):  # one that was streamed and never read raises
            if text := error.response.text:
                return str(text)
    return ""
