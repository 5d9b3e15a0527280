"""Keys stay in process memory: never shown, stored, logged or sent anywhere but to the provider."""

from __future__ import annotations

import logging
import os
import re
import traceback
import uuid
from typing import NoReturn
from urllib.parse import urlsplit, urlunsplit

_NAMES = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)$")
_LOOKS_SECRET = re.compile(
    r"(?i:bearer\s+\S+)|\b(?:sk|pk|gsk|xai|hf|ghp|key)[-_][\w*.-]{4,}|\bAIza[\w-]{10,}|\b[\w-]{16,}\.[\w-]{16,}\.[\w-]{16,}\b"
)
_URL = re.compile(r"\bhttps?://\S+")
_HIDDEN = "[hidden]"


class Secret:
    """A key that shows as ``***`` wherever it is printed, and refuses to be pickled."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return "***"

    __str__ = __repr__

    def __reduce__(self) -> NoReturn:
        raise TypeError("A key is kept in memory only; it cannot be pickled.")


def redacted(text: str, key: Secret | None = None) -> str:
    """A message without keys, without what looks like one, and with URLs cut to their host."""
    text = _LOOKS_SECRET.sub(_HIDDEN, without_keys(text, key))
    return _URL.sub(lambda match: host_of(match.group()) or _HIDDEN, text)


def log_failure(log: logging.Logger, message: str, error: BaseException) -> str:
    """Logs an unforeseen error with its trace, keys removed, under a reference that a person can quote.

    :returns: the reference, eight hexadecimal digits.
    """
    reference = uuid.uuid4().hex[:8]
    trace = "".join(traceback.format_exception(error))
    log.error("%s (reference %s)\n%s", message, reference, redacted(trace))
    return reference


def without_keys(text: str, key: Secret | None = None) -> str:
    """``text`` without the typed key and without any key of the environment; nothing else is touched."""
    known = [value for name, value in os.environ.items() if _NAMES.search(name.upper()) and len(value) >= 12]
    if key and key.reveal():
        known.append(key.reveal())
    for secret in sorted(known, key=len, reverse=True):
        text = text.replace(secret, _HIDDEN)
    return text


def host_of(url: str | None) -> str | None:
    """Host and port of a URL: no user, no path, no query."""
    try:
        parts = urlsplit(url or "")
        return f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname
    except ValueError:
        return None


def without_credentials(url: str) -> str:
    """A URL without what it may hold beside the place: a user, a password, a key in the query."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
