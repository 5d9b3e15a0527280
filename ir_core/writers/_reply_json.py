"""JSON inside a model's reply: whole, in fences, amid prose, in Python's notation, or cut off half way."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from typing import Any

KEYS = (
    "queries", "query", "rewritten_query", "rewrite", "rewrites", "variants", "variations", "alternatives",
    "questions", "question", "sub_questions", "subquestions", "sub_question", "sub_queries", "subqueries",
    "sub_query", "step_back_question", "step_back", "passage", "passages", "hypothetical_document", "document",
    "text", "content", "answer", "output", "result", "results", "items",
)  # fmt: skip
"""Under which a model may put what was asked for, tried in this order."""
MAX_STARTS = 40
"""Brackets tried as the beginning of JSON; prose with more of them is prose."""

_START = re.compile(r"(?:^|[:：])[ \t]*([\[{])", re.M)
_REST_OF_LINE = re.compile(r"[ \t.;`]*(?:\n|\Z)")
_STRING = re.compile(r'"((?:[^"\\]|\\.)+)"\s*(?=[,\]}]|\Z)')


def texts_in_json(said: str, *, whole: bool = False) -> list[str] | None:
    """The texts a JSON value in ``said`` holds; an empty list where it holds none; None where there is no such value.

    A value begins a line or follows a colon, and nothing follows it on its line: ``df["name"]`` is not a reply.

    :param whole: read only a value that is the whole reply.
    """
    text = re.sub(r"\A\s*(?:```|~~~)\w*", "", said).strip().strip("`~ \n")
    if text[:1] == '"':
        return [value] if isinstance(value := _loads(text), str) else None
    values = list(_values(text, whole))
    for value in values:
        if found := _texts(value):
            return found
    if values and (_loads(text) is not None or any(value in ([], {}) for value in values)):
        return []
    return _salvaged(text) if text[:1] in ("[", "{") and not values and _is_broken(text) else None


def _values(text: str, whole: bool) -> Iterator[Any]:
    """The JSON values in a text, then, where it has none, the whole of it as Python's notation."""
    none = True
    for start in [match.start(1) for match in _START.finditer(text)][:MAX_STARTS]:
        try:
            value, end = json.JSONDecoder(strict=False).raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if _REST_OF_LINE.match(text, end) and (not whole or (start, end) == (0, len(text))):
            none = False
            yield value
    if none and text[:1] in ("[", "{") and text.endswith(("]", "}")):
        try:
            yield ast.literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            return


def _texts(value: Any) -> list[str]:
    if isinstance(value, list):
        return [text for item in value for text in ([item] if isinstance(item, str) else _one(item))]
    if not isinstance(value, dict):
        return []
    named = {str(key).strip().lower().replace("-", "_").replace(" ", "_"): item for key, item in value.items()}
    for key in KEYS:
        item = named.get(key)
        if isinstance(item, str) and item.strip():
            return [item]
        if isinstance(item, list | dict) and (inner := _texts(item)):
            return inner
    if named and all(re.fullmatch(r"(?:\w*\D)?\d{1,2}", key) for key in named):
        return [item for item in named.values() if isinstance(item, str)]
    return []


def _one(item: Any) -> list[str]:
    """The text of one entry that is an object: under a known key, else its only text."""
    if not isinstance(item, dict):
        return []
    only = [entry for entry in item.values() if isinstance(entry, str)]
    return _texts(item)[:1] or (only if len(only) == 1 else [])


def _is_broken(text: str) -> bool:
    """True where the value a text begins with never ends; one with words after it is a query that looks like JSON."""
    try:
        json.JSONDecoder(strict=False).raw_decode(text)
    except (ValueError, RecursionError):
        return True
    return False


def _salvaged(text: str) -> list[str] | None:
    """The whole strings of a value that was cut off or has a comma too many; None where there are none."""
    found = [_loads(f'"{match}"') for match in _STRING.findall(text)]
    return [item for item in found if isinstance(item, str)] or None


def _loads(text: str) -> Any:
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
