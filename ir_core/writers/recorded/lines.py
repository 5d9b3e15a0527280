"""Our own recording format, version 1: JSON lines in UTF-8, one per task a writer was given.

::

    {"recording": 1, "date": "2026-03-01T09:30:00+00:00", "task": "hyde", "query": "how do I reset my password",
     "history": "", "n": 1, "seed": 0, "temperature": null, "language": null, "is_llm": true, "title": null,
     "texts": ["Open Settings and press Reset."], "error": null,
     "calls": [{"model": "openai/gpt-4.1", "prompt_id": "hyde.en", "prompt_version": "1", "raw": "Open …",
                "texts": ["Open …"], "tokens_in": 96, "tokens_out": 61, "cost_usd": 0.0007, "seconds": 2.4,
                "first_token_s": 0.5, "error": null}]}

``texts`` are plain, or objects where a text has a note, a weight, a bag of terms or stands for stored surfaces
(:class:`ir_core.schema.Written`). ``history`` is a digest of the conversation, "" for none. ``seconds`` is what each
request took when it was made. null is unknown. ``model`` is the model string; no key and no address is written.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from ir_core.schema import Call, Written
from ir_core.text import encodable
from ir_core.writers.recorded.entry import Entry

MARK = "recording"
VERSION = 1
LINE_START = b'{"recording":'
"""What ``line_of`` begins with, by which a line that was torn off is known as ours."""
OWN = ("task", "query", "history", "n", "seed", "temperature", "language", "is_llm", "title", "date", "error")
OF_CALL = (
    "model", "prompt_id", "prompt_version", "raw", "tokens_in", "tokens_out", "cost_usd", "first_token_s", "error",
)  # fmt: skip
PLAIN = Written("")


def line_of(entry: Entry) -> str:
    """The entry as one line, without the line's end."""
    record: dict[str, Any] = {MARK: VERSION, **{name: getattr(entry, name) for name in OWN}}
    record["texts"] = [_text(written) for written in entry.written]
    record["calls"] = [
        {**{name: getattr(call, name) for name in OF_CALL}, "texts": list(call.texts), "seconds": _seconds(call)}
        for call in entry.calls
    ]
    return encodable(json.dumps(record, ensure_ascii=False))


def entry_of(record: Mapping[str, Any]) -> Entry:
    """:raises ValueError: saying what of the record is wrong."""
    version = record[MARK]
    if version != VERSION:
        raise ValueError(f"the recording has version {version!r}; this program reads version {VERSION}")
    task, query = _string(record, "task"), _string(record, "query")
    if not task or not query:
        raise ValueError("a recording needs a task and a query")
    return Entry(
        task=task,
        query=query,
        written=tuple(_written(text) for text in _list(record, "texts")),
        calls=tuple(_call(task, call) for call in _list(record, "calls")),
        history=_string(record, "history"),
        n=_count(record, "n"),
        seed=_count(record, "seed"),
        temperature=_number(record, "temperature"),
        language=_string(record, "language"),
        is_llm=record.get("is_llm") is not False,
        title=_string(record, "title"),
        date=_string(record, "date"),
        error=_string(record, "error"),
    )


def _text(written: Written) -> str | dict[str, Any]:
    found = {
        item.name: dict(value) if isinstance(value, Mapping) else value
        for item in fields(Written)
        if (value := getattr(written, item.name)) != getattr(PLAIN, item.name)
    }
    return written.text if found.keys() <= {"text"} else found


def _written(found: Any) -> Written:
    if isinstance(found, str):
        return Written(found)
    if not isinstance(found, dict):
        raise ValueError(f"a text is {_kind(found)}, not a string or an object")
    weight = _number(found, "weight")
    surfaces, terms = _list(found, "surface_ids"), found.get("terms")
    if not all(isinstance(surface, str) for surface in surfaces):
        raise ValueError("surface_ids holds something that is no string")
    if terms is not None and not isinstance(terms, dict):
        raise ValueError(f"terms is {_kind(terms)}, not an object")
    bag = {term: _number(terms, term) or 0.0 for term in terms} if terms is not None else None
    note, text = _string(found, "note") or "", _string(found, "text") or ""
    return Written(text, tuple(surfaces), note, 1.0 if weight is None else weight, bag)


def _call(task: str, found: Any) -> Call:
    """``seconds`` of then become ``first_s``: nothing is asked now."""
    if not isinstance(found, dict):
        raise ValueError(f"a call is {_kind(found)}, not an object")
    return Call(
        task=task,
        model=_string(found, "model") or "",
        prompt_id=_string(found, "prompt_id"),
        prompt_version=_string(found, "prompt_version"),
        raw=_string(found, "raw") or "",
        texts=tuple(str(text) for text in _list(found, "texts")),
        tokens_in=_count(found, "tokens_in"),
        tokens_out=_count(found, "tokens_out"),
        cost_usd=_number(found, "cost_usd"),
        first_token_s=_number(found, "first_token_s"),
        error=_string(found, "error"),
        first_s=_number(found, "seconds"),
    )


def _seconds(call: Call) -> float | None:
    """Of the first time; a reply from a cache that does not say took unknown seconds, not 0."""
    return call.first_s if call.cached else call.seconds


def _string(record: Mapping[str, Any], name: str) -> str | None:
    value = record.get(name)
    if value is None or isinstance(value, str):
        return value
    raise ValueError(f"{name} is {_kind(value)}, not a string")


def _number(record: Mapping[str, Any], name: str) -> float | None:
    value = record.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{name} is {value!r}, not a number")
    return value


def _count(record: Mapping[str, Any], name: str) -> int | None:
    value = _number(record, name)
    return None if value is None else int(value)


def _list(record: Mapping[str, Any], name: str) -> list[Any]:
    value = record.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise ValueError(f"{name} is {_kind(value)}, not a list")
    return value


def _kind(value: Any) -> str:
    return f"of type {type(value).__name__}"
