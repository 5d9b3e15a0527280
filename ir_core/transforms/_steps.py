"""The steps of a chain as a person writes them: ``condense > multi_query(n=2) > hyde``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import regex

from ir_core.errors import BadInput, BadSetting
from ir_core.transforms import TRANSFORMS

MOST_STEPS = 5
"""Each step works on all the step before made: five already are many calls and a long wait."""
EXAMPLE = "condense > multi_query(n=2) > hyde"
_STEP = regex.compile(r"\s*([\w\- ]+?)\s*(?:\((.*)\))?\s*", regex.DOTALL)
_QUOTES = {'"': '"', "'": "'", "“": "”", "«": "»"}
_ENDS = regex.compile(r"\s*(?:[,)]|$)")


def steps_of(text: str, chain: str) -> list[Any]:
    """The transforms, in order.

    :param chain: the name of the chain itself, which is no step of one.
    :raises BadSetting: naming the step that cannot be used, and what can be.
    """
    written = [step.strip() for step in _split(text, ">→")]
    if not text.strip():
        raise BadSetting(f"The chain has no step. Write transforms with > between them: {EXAMPLE}.")
    if len(written) > MOST_STEPS:
        raise BadSetting(f"The chain has {len(written)} steps; {MOST_STEPS} are the most. Take some out.")
    return [_step(number, step, chain) for number, step in enumerate(written, start=1)]


def _step(number: int, written: str, chain: str) -> Any:
    where = f"Step {number} of the chain"
    match = _STEP.fullmatch(written)
    if not match:
        what = f"is {written.strip()[:60]!r}, which is no name, with settings in brackets" if written else "is empty"
        raise BadSetting(f"{where} {what}. Write it like this: {EXAMPLE}.")
    name, settings = match.groups()
    try:
        made = TRANSFORMS.make(name, _settings(settings or ""))
    except BadInput as error:
        raise BadSetting(f"{where}: {error}") from None
    if made.name == chain:
        raise BadSetting(f"{where} is a chain itself. Write its steps in its place.")
    return made


def _settings(written: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for part in filter(str.strip, _split(written, ",")):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise BadSetting(
                f"{part.strip()[:60]!r} is no setting. Write name=value, such as n=2; a text with commas in quotes."
            )
        quoted = len(value) > 1 and _QUOTES.get(value[0]) == value[-1]
        found[name] = value[1:-1] if quoted else value
    return found


def _split(text: str, marks: str) -> list[str]:
    """The parts between these marks, those inside brackets and quoted values left alone.

    A quote counts where a value begins, and ends where the setting does: "don't" holds none.
    """
    parts, depth, closing = [""], 0, ""
    for at, char in enumerate(text):
        if closing:
            closing = "" if char == closing and _ENDS.match(text, at + 1) else closing
        elif char in _QUOTES and parts[-1].rstrip().endswith("="):
            closing = _QUOTES[char]
        elif char in marks and not depth:
            parts.append("")
            continue
        else:
            depth += (char == "(") - (char == ")" and depth > 0)
        parts[-1] += char
    return parts
