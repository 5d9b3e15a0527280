"""Text and values made safe to keep: no NUL, no lone surrogate, one kind of line break; fields to filter on."""

from __future__ import annotations

import datetime
import hashlib
import json
import math
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

import regex

MAX_FIELD_CHARS = 500
"""A longer value is a text, not something to filter on; it stays in the record, not in the metadata."""
MAX_ID_CHARS = 200
_MAX_DEPTH = 40
_LISTS = (list, tuple, set, frozenset)
_UNSAFE = regex.compile(r"[\x00\r\ud800-\udfff]")
_SURROGATE = regex.compile(r"[\ud800-\udfff]")
_CONTROL = regex.compile(r"[\x00-\x1f\x7f]+")


def clean_text(text: str) -> str:
    """NUL removed, a lone surrogate (no character, and UTF-8 cannot write it) shown as U+FFFD, line breaks as \\n."""
    if not _UNSAFE.search(text):
        return text
    return _SURROGATE.sub("\ufffd", text.replace("\x00", "").replace("\r\n", "\n").replace("\r", "\n"))


def clean_value(value: Any, depth: int = 0) -> Any:
    """A JSON-like value with every text in it cleaned; what is nested over 40 levels deep becomes JSON text."""
    if isinstance(value, str):
        return clean_text(value)
    if depth > _MAX_DEPTH and isinstance(value, Mapping | list | tuple):
        return json.dumps(value)
    if isinstance(value, Mapping):
        return {clean_text(str(key)): clean_value(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [clean_value(item, depth + 1) for item in value]
    return value


def clean_name(name: str) -> str:
    """A file's name as it may be shown and used in ids: one line, composed (macOS decomposes), never empty."""
    return _CONTROL.sub(" ", unicodedata.normalize("NFC", clean_text(name))).strip() or "unnamed"


def clean_id(value: Any, fallback: str) -> str:
    """An id as one line of at most 200 characters; ``fallback`` for what is no id."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return fallback
    text = _CONTROL.sub(" ", clean_text(str(value))).strip() or fallback
    if len(text) <= MAX_ID_CHARS:
        return text
    return f"{text[: MAX_ID_CHARS - 9]}~{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def is_blank(text: str) -> bool:
    """Whether nothing in the text can be seen: white space, marks without width and controls only."""
    return not any(char.isprintable() and not char.isspace() for char in text)


def clean_metadata(values: Mapping[Any, Any], unfit: set[str] | None = None) -> dict[str, Any]:
    """The values a filter can use: text, numbers, true or false, dates as ISO text, lists of these.

    :param unfit: gets the names of fields with a value (or an item of one) that is none of these; None and blank
        text are nothing, and are left out unnamed.
    """
    found: dict[str, Any] = {}
    for name, value in values.items():
        key = clean_text(str(name))
        plain = _items(value) if isinstance(value, _LISTS) else _scalar(value)
        if unfit is not None and _is_unfit(value):
            unfit.add(key)
        if plain is not None and plain != []:
            found[key] = plain
    return found


def _items(values: Iterable[Any]) -> list[Any]:
    plain = (_scalar(value) for value in values)
    return [value for value in plain if value is not None]


def _is_unfit(value: Any) -> bool:
    """Whether something is there and no filter can use it."""
    if isinstance(value, _LISTS):
        return any(_is_unfit(item) or isinstance(item, _LISTS) for item in value)
    is_nothing = value is None or (isinstance(value, str) and not value.strip())
    return not is_nothing and value != {} and _scalar(value) is None


def _scalar(value: Any) -> str | int | float | bool | None:
    if isinstance(value, str):
        text = clean_text(value).strip()
        return text if text and len(text) <= MAX_FIELD_CHARS else None
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        # Sixty-four bits is what the stores below can hold; a longer number is an identifier.
        return value if value.bit_length() < 64 else str(value) if value.bit_length() < 1024 else None
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return None
