"""One recorded piece of writing, and what tells which task it answers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ir_core.schema import Call, Turn, Written
from ir_core.text import encodable, normalise, sha256
from ir_core.writers._reply_json import texts_in_json
from ir_core.writers._reply_marks import EMPTY_WORDS


class Asked(Protocol):
    """A query of a corpus (``library.JudgedQuery`` is one): what a file with query ids only is about."""

    @property
    def id(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def history(self) -> tuple[Turn, ...]: ...


@dataclass(frozen=True, slots=True)
class Entry:
    """What a writer wrote for one task, or ``error``, why it wrote nothing.

    None is unknown: a plain file says nothing of ``n``, ``seed``, ``temperature``, ``language`` or, mostly, ``date``
    (ISO 8601). ``history`` is the conversation's digest, "" for none; an entry where it is None answers in any.
    """

    task: str
    query: str
    written: tuple[Written, ...]
    calls: tuple[Call, ...]
    history: str | None = None
    n: int | None = None
    seed: int | None = None
    temperature: float | None = None
    language: str | None = None
    is_llm: bool = True
    title: str | None = None
    date: str | None = None
    error: str | None = None

    @property
    def models(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(call.model for call in self.calls if call.model))


def digest(history: Sequence[Turn]) -> str:
    """Of a conversation; "" for none."""
    turns = [[turn.get("role", ""), turn.get("content", "")] for turn in history]
    return sha256(json.dumps(turns, ensure_ascii=False))[:16] if turns else ""


def fold(query: str) -> str:
    """Queries that differ in case and white space only are one."""
    return " ".join(normalise(encodable(query)).split())


def says_something(text: str) -> bool:
    """False for a blank reply, and for what a program writes where it has nothing: ``{}``, ``[]``, ``null``."""
    has_words = any(char.isalnum() for char in text) and text.strip().casefold() not in EMPTY_WORDS
    return has_words and texts_in_json(text, whole=True) != []
