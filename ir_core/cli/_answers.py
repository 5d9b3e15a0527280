"""What a command prints: one JSON document, or text for a person. Nothing else may reach standard output."""

from __future__ import annotations

import contextlib
import functools
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click

SCHEMA_VERSION = 1
"""Of the JSON. Raised when a field changes its meaning or goes away; a new field does not raise it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """``data`` is one JSON object, or a list of them where a command answers several; ``code`` is the exit code;
    ``note`` is a last line of the text, and with a list as JSON, which has no room for it, on standard error."""

    data: Mapping[str, Any] | Sequence[Mapping[str, Any]]
    text: str
    code: int = 0
    note: str = ""


def answering(function: Callable[..., Answer]) -> Callable[..., int]:
    """Adds ``--json`` to a command and prints its answer. What libraries print in the meantime goes to standard
    error, so that the output can be piped."""

    @click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
    @functools.wraps(function)
    def run(*, as_json: bool, **options: Any) -> int:
        with contextlib.redirect_stdout(sys.stderr):
            answer = function(**options)
        if isinstance(answer.data, Mapping):
            data: Any = {"schema_version": SCHEMA_VERSION, **answer.data}
        else:
            data = [{"schema_version": SCHEMA_VERSION, **one} for one in answer.data]
        click.echo(as_text(data) if as_json else answer.text)
        if answer.note:
            click.echo(answer.note, err=as_json)
        return answer.code

    return run


def as_text(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, indent=2, default=_plain, allow_nan=False)


def _plain(value: Any) -> Any:
    """Arrays' numbers, dates, paths and sets, which metadata may hold."""
    if hasattr(value, "item"):
        return value.item()
    return sorted(value) if isinstance(value, set | frozenset) else str(value)
