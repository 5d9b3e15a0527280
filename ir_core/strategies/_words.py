"""A strategy as a person reads it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ir_core.params import params_of


def words_of(spec: Mapping[str, Any], member: type | None) -> str:
    """Its label and those of its settings that are not the default: "Chunks, max tokens 250".

    :param member: the strategy of that name; None for one that is not known here, which is told by its name.
    """
    name = str(spec["name"])
    if member is None:
        return name
    settings = {setting.name: setting for setting in params_of(member)}
    changed = [
        f"{settings[key].label.lower() if key in settings else key} {value}"
        for key, value in (spec.get("params") or {}).items()
        if key not in settings or settings[key].default != value
    ]
    return ", ".join([str(getattr(member, "label", name)), *changed])
