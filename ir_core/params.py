"""Components describe themselves as data, so that forms, the CLI, links and docs all follow from one declaration.

A component is a frozen dataclass; its settings are fields made by ``param()``::

    @dataclass(frozen=True)
    class MultiQuery:
        n: int = param(3, help="How many variants.", low=1, high=8)
"""

from __future__ import annotations

import dataclasses
import functools
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from ir_core.errors import BadSetting, UnknownName

T = TypeVar("T")
_WORDS = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}


@dataclass(frozen=True, slots=True)
class Param:
    """One setting: ``type`` is int, float, bool or str; ``optional`` allows None (an empty field)."""

    name: str
    type: type
    default: Any
    help: str
    label: str
    low: float | None = None
    high: float | None = None
    step: float | None = None
    choices: tuple[Any, ...] | None = None
    optional: bool = False
    advanced: bool = False


def param(
    default: Any,
    *,
    help: str,
    label: str | None = None,
    low: float | None = None,
    high: float | None = None,
    step: float | None = None,
    choices: Sequence[Any] | None = None,
    advanced: bool = False,
) -> Any:
    """A dataclass field that is a setting. ``low``, ``high`` are inclusive; ``advanced`` ones start folded away."""
    described = {
        "help": help,
        "label": label,
        "low": low,
        "high": high,
        "step": step,
        "choices": tuple(choices) if choices is not None else None,
        "advanced": advanced,
    }
    return dataclasses.field(default=default, metadata={"param": described})


def params_of(component: Any) -> tuple[Param, ...]:
    """The settings of a component class, in the order they were declared."""
    return _declared(component)


@functools.lru_cache(maxsize=512)
def _declared(component: type) -> tuple[Param, ...]:
    """Pages ask hundreds of times in one run, and reading type hints is slow."""
    hints = typing.get_type_hints(component)
    found = []
    for item in dataclasses.fields(component):
        described = item.metadata.get("param")
        if described is None:
            continue
        kind, optional = _plain_type(hints[item.name])
        label = described["label"] or item.name.replace("_", " ").capitalize()
        found.append(
            Param(
                name=item.name,
                type=kind,
                default=item.default,
                optional=optional,
                **{**described, "label": label},
            )
        )
    return tuple(found)


def values_of(component: Any) -> dict[str, Any]:
    """The settings of one instance, as plain values."""
    return {setting.name: getattr(component, setting.name) for setting in params_of(type(component))}


def make(component: type[T], settings: Mapping[str, Any] | None = None) -> T:
    """An instance with these settings; texts (from a CLI or a link) are read as the setting's type.

    :raises UnknownName: for a setting the component does not have.
    :raises BadSetting: for a value of the wrong type, out of range or not among the choices.
    """
    known = {setting.name: setting for setting in params_of(component)}
    values = {}
    for name, value in (settings or {}).items():
        if name not in known:
            raise UnknownName(f"setting of {getattr(component, 'name', component.__name__)}", name, known)
        values[name] = checked(known[name], value)
    return component(**values)


def checked(setting: Param, value: Any) -> Any:
    """``value`` as the setting's type.

    :raises BadSetting: when it is none, out of range or not among the choices.
    """
    if value is None or (isinstance(value, str) and setting.optional and value.strip().lower() in {"", "none"}):
        if setting.optional:
            return None
        raise BadSetting(f"{setting.name} was left empty; it needs {_WORDS[setting.type]}.")
    result = _read(setting, value)
    if setting.choices is not None and result not in setting.choices:
        listed = ", ".join(str(choice) for choice in setting.choices)
        raise BadSetting(f"{setting.name} = {_shown(value)} is not among its choices: {listed}.")
    if setting.low is not None and result < setting.low:
        raise BadSetting(f"{setting.name} = {value} is too low; the lowest value is {setting.low:g}.")
    if setting.high is not None and result > setting.high:
        raise BadSetting(f"{setting.name} = {value} is too high; the highest value is {setting.high:g}.")
    return result


def _shown(value: Any) -> str:
    """A value in an error, where 20,000 characters would hide the way out."""
    said = repr(value)
    return said if len(said) <= 60 else f"{said[:60]}…"


def _read(setting: Param, value: Any) -> Any:
    words = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
    if setting.type is bool:
        answer = value if isinstance(value, bool) else words.get(str(value).strip().lower())
        if answer is None:
            raise BadSetting(f"{setting.name} = {_shown(value)} is neither true nor false.")
        return answer
    try:
        if setting.type is int and float(value) != int(float(value)):
            raise ValueError
        result = setting.type(float(value)) if setting.type is int else setting.type(value)
    except (TypeError, ValueError, OverflowError):
        raise BadSetting(f"{setting.name} = {_shown(value)} is not {_WORDS[setting.type]}.") from None
    if isinstance(result, float) and result != result:
        raise BadSetting(f"{setting.name} is not a number.")
    return result


def _plain_type(hint: Any) -> tuple[type, bool]:
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        kinds = [kind for kind in typing.get_args(hint) if kind is not type(None)]
        return _plain_type(kinds[0])[0], len(kinds) < len(typing.get_args(hint))
    if typing.get_origin(hint) is typing.Literal:
        return type(typing.get_args(hint)[0]), False
    return (hint if hint in {int, float, bool, str} else str), False
