"""What a command prints: one JSON document, or text for a person. Nothing else may reach standard output."""

from __future__ import annotations

import contextlib
import functools
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import click

SCHEMA_VERSION = 1
"""Of the JSON. Raised when a field changes its meaning or goes away; a new field does not raise it."""


@dataclass(frozen=True, slots=True)
class Answer:
    data: Mapping[str, Any]
    text: str


def answering(function: Callable[..., Answer]) -> Callable[..., None]:
    """Adds ``--json`` to a command and prints its answer. What libraries print in the meantime goes to standard
    error, so that the output can be piped."""

    @click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
    @functools.wraps(function)
    def run(*, as_json: bool, **options: Any) -> None:
        with contextlib.redirect_stdout(sys.stderr):
            answer = function(**options)
        click.echo(as_text({"schema_version": SCHEMA_VERSION, **answer.data}) if as_json else answer.text)

    return run


def as_text(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, indent=2, default=_plain, allow_nan=False)


def _plain(value: Any) -> Any:
    """Arrays' numbers, dates, paths and sets, which metadata may hold."""
    if hasattr(value, "item"):
        return value.item()
    return sorted(value) if isinstance(value, set | frozenset) else str(value)
