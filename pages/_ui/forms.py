"""Forms that follow from a component's ``param()`` fields: a new setting needs no page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from ir_core.errors import BadSetting
from ir_core.params import Param, checked, params_of
from pages._ui import safe


def settings_form(component: type, key: str, *, initial: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Draw a component's settings, the advanced ones folded away, and give their values.

    :param key: prefix of the widgets' keys; values are kept for the session under ``key.name``.
    :param initial: values to start from in place of the component's defaults.
    """
    settings = params_of(component)
    values: dict[str, Any] = {}
    for setting in settings:
        if not setting.advanced:
            values[setting.name] = _draw(setting, key, initial)
    advanced = [setting for setting in settings if setting.advanced]
    if advanced:
        with st.expander("Advanced settings", key=f"{key}.advanced"):
            for setting in advanced:
                values[setting.name] = _draw(setting, key, initial)
    return values


def _draw(setting: Param, key: str, initial: Mapping[str, Any] | None) -> Any:
    name = f"{key}.{setting.name}"
    if name not in st.session_state:
        start = (initial or {}).get(setting.name, setting.default)
        st.session_state[name] = float(start) if setting.type is float and start is not None else start
    shared: dict[str, Any] = {"key": name, "help": safe.label(setting.help, 400), "persist_state": "session"}
    label = safe.label(setting.label)
    try:
        return checked(setting, _widget(setting, label, shared))
    except BadSetting as error:
        safe.notice("error", error)
        return setting.default


def _widget(setting: Param, label: str, shared: dict[str, Any]) -> Any:
    if setting.type is bool:
        return st.toggle(label, **shared)
    if setting.choices is not None:
        options = [None, *setting.choices] if setting.optional else list(setting.choices)
        return st.selectbox(label, options, format_func=_option, **shared)
    if setting.type in {int, float}:
        return _number(setting, label, shared)
    return st.text_input(label, max_chars=200, placeholder="default" if setting.optional else None, **shared)


def _number(setting: Param, label: str, shared: dict[str, Any]) -> Any:
    kind: Any = setting.type
    step = setting.step or (1 if kind is int else 0.05)
    bounds = {
        "min_value": None if setting.low is None else kind(setting.low),
        "max_value": None if setting.high is None else kind(setting.high),
    }
    placeholder = "not set" if setting.optional else None
    shown = None if kind is int else "%g"
    return st.number_input(
        label, value=None, step=kind(step), format=shown, placeholder=placeholder, **bounds, **shared
    )


def _option(value: Any) -> str:
    return "not set" if value is None else str(value)
