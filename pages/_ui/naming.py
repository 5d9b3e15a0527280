"""What a person is shown in place of a component's stable name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ir_core.params import params_of
from ir_core.strategies import STRATEGY_REGISTRY


def strategy(spec: Mapping[str, Any]) -> str:
    """Its label and those of its settings that are not the default: "Chunks, max tokens 250"."""
    name = str(spec["name"])
    member = STRATEGY_REGISTRY.get(name)
    if member is None:
        return name
    settings = {setting.name: setting for setting in params_of(member)}
    changed = [
        f"{settings[key].label.lower() if key in settings else key} {value}"
        for key, value in (spec.get("params") or {}).items()
        if key not in settings or settings[key].default != value
    ]
    return ", ".join([str(getattr(member, "label", name)), *changed])


def strategy_in_link(text: str) -> str:
    """The same from what a link says (``Chunked:{"max_tokens":250}``); what cannot be read is shown as it is."""
    name, _, written = text.partition(":")
    try:
        params = json.loads(written) if written else {}
    except ValueError:
        return text
    return strategy({"name": name, "params": params}) if isinstance(params, dict) else text
