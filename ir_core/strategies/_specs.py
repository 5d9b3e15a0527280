"""Strategies as data: into a manifest and a link, and back."""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Mapping
from typing import Any

from ir_core import params
from ir_core.errors import BadInput, BadSetting, UnknownName
from ir_core.protocols import IndexingStrategy

Known = Mapping[str, type[Any]]


def to_spec(strategy: Any, known: Known) -> dict[str, Any]:
    """``{"name", "params"}``, scalars only.

    :raises BadInput: for a strategy that is not one of the known classes itself (a subclass or a wrapper would come
        back as something else), or a setting that is no scalar, such as a callable ``deps_template``.
    """
    kind = type(strategy)
    if kind not in known.values():
        raise BadInput(
            f"The strategy {kind.__name__} cannot be written down, because only these can be made again from their "
            f"settings: {', '.join(known)}. Pass the object itself wherever the index is built."
        )
    values = params.values_of(strategy)
    for name, value in values.items():
        if not isinstance(value, str | int | float | bool | None):
            raise BadInput(
                f"{kind.__name__}({name}=…) holds a {type(value).__name__}, which cannot be written down. Use a text "
                "or a number there, or pass the strategy itself wherever the index is built."
            )
    return {"name": kind.name, "params": values}


def from_spec(spec: Mapping[str, Any] | None, known: Known) -> IndexingStrategy | None:
    """The strategy a spec describes; None for None: the source's own default then applies.

    :raises UnknownName: naming the known strategies, or the known settings.
    :raises BadSetting: for a setting out of range, and for what is no spec.
    """
    if spec is None:
        return None
    if not isinstance(spec, Mapping):
        raise BadSetting(f'{spec!r} is no strategy; expected {{"name": "Chunked", "params": {{}}}}.')
    name, settings = spec.get("name"), spec.get("params") or {}
    found = {key.lower(): kind for key, kind in known.items()}.get(str(name).strip().lower())
    if found is None:
        raise UnknownName("strategy", str(name), known)
    if not isinstance(settings, Mapping):
        raise BadSetting(
            f'The strategy\'s params are {settings!r}; expected settings by name: {{"max_tokens": 256}}.'
        )
    made: IndexingStrategy = params.make(found, settings)
    return made


def strategy_id_of(strategy: Any, known: Known) -> str:
    try:
        told = to_spec(strategy, known)
        described = [told["name"], json.dumps(told["params"], sort_keys=True, ensure_ascii=False)]
    except BadInput:
        kind = type(strategy)
        own = sorted((key, _described(value)) for key, value in getattr(strategy, "__dict__", {}).items())
        described = [f"{kind.__module__}.{kind.__qualname__}", _described(kind.decompose), json.dumps(own)]
    described.append(str(getattr(strategy, "unit", "")))
    return f"{type(strategy).__name__}-{hashlib.sha256('|'.join(described).encode()).hexdigest()[:16]}"


def _described(value: Any) -> str:
    """A function by its source and its constants (two may share a line). An object whose repr holds an address
    differs in every process, which costs a new look at the texts, never a wrong index."""
    code = getattr(value, "__code__", None)
    try:
        return f"{inspect.getsource(value)}{code.co_code.hex()}{code.co_consts}" if code else repr(value)
    except (OSError, TypeError):
        return repr(value)
