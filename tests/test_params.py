"""Settings: one declaration feeds forms, the CLI and links, so every value is checked in one place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest

from ir_core.compare import DEFAULT_TRANSFORMS
from ir_core.errors import BadSetting, UnknownName
from ir_core.params import make, param, params_of, values_of
from ir_core.registry import Registry
from ir_core.transforms import TRANSFORMS


@dataclass(frozen=True)
class Sample:
    name: ClassVar[str] = "sample"
    n: int = param(3, low=1, high=8, help="how many")
    share: float = param(0.5, low=0.0, high=1.0, help="a part")
    deep: bool = param(False, help="whether")
    kind: str = param("a", choices=("a", "b"), help="which")
    limit: int | None = param(None, low=1, help="none for no limit")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"n": "5", "deep": "yes", "share": "0.25"}, {"n": 5, "deep": True, "share": 0.25}),
        ({"n": 8.0, "limit": "none"}, {"n": 8, "limit": None}),
        ({"limit": "12"}, {"limit": 12}),
    ],
)
def test_texts_are_read_as_the_settings_type(given, expected):
    made = values_of(make(Sample, given))
    assert {name: made[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"n": 0}, "lowest value is 1"),
        ({"n": "many"}, "not a whole number"),
        ({"n": 2.5}, "not a whole number"),
        ({"n": float("inf")}, "not a whole number"),
        ({"share": float("nan")}, "not a number"),
        ({"share": 1.5}, "highest value is 1"),
        ({"deep": "perhaps"}, "neither true nor false"),
        ({"kind": "c"}, "a, b"),
        ({"n": None}, "left empty"),
    ],
)
def test_a_wrong_value_says_what_was_expected(given, says):
    with pytest.raises(BadSetting, match=says):
        make(Sample, given)


def test_an_unknown_setting_names_the_closest():
    with pytest.raises(UnknownName, match="Did you mean 'share'"):
        make(Sample, {"shar": 1})


def test_params_tell_type_range_and_choices():
    found = {item.name: item for item in params_of(Sample)}
    assert (found["n"].type, found["n"].low, found["n"].high) == (int, 1, 8)
    assert found["limit"].optional
    assert not found["kind"].optional
    assert found["kind"].choices == ("a", "b")


def test_registry_finds_every_transform_by_name_alias_and_order():
    assert TRANSFORMS.names()[:3] == ("identity", "joined_turns", "condense")
    assert set(DEFAULT_TRANSFORMS) <= set(TRANSFORMS.names())
    assert TRANSFORMS.get("none").name == "identity"
    assert TRANSFORMS.get("step-back").name == "step_back"
    with pytest.raises(UnknownName, match="Did you mean 'multi_query'"):
        TRANSFORMS.get("multiquery")


def test_an_empty_family_says_so():
    with pytest.raises(UnknownName, match="Known: none"):
        Registry("ir_core.prompts", "thing").get("x")
