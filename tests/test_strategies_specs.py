"""Strategies as specs, ids and forms."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from ir_core import params
from ir_core.errors import BadInput, BadSetting, UnknownName
from ir_core.protocols import IndexingStrategy
from ir_core.schema import IndexPlan
from ir_core.strategies import (
    DFLT_CHUNK_MAX_TOKENS,
    STRATEGIES,
    STRATEGY_REGISTRY,
    Chunked,
    ClaudeTurn,
    Package,
    Skill,
    WholeText,
    strategy_from_spec,
    strategy_id,
    strategy_to_spec,
)


@pytest.mark.parametrize(
    "strategy",
    [
        WholeText(kind="body"),
        Chunked(chunk_size=900, overlap=90, max_tokens=DFLT_CHUNK_MAX_TOKENS),
        Skill(),
        Package(embed_deps=True, deps_template="uses {deps}"),
        ClaudeTurn(include_full=True),
    ],
)
def test_a_spec_brings_the_strategy_back(strategy):
    spec = json.loads(json.dumps(strategy_to_spec(strategy)))
    assert set(spec) == {"name", "params"}
    assert strategy_from_spec(spec) == strategy
    assert strategy_id(strategy_from_spec(spec)) == strategy_id(strategy)


def test_no_spec_is_no_strategy():
    assert strategy_from_spec(None) is None
    assert strategy_from_spec({"name": "Skill"}) == Skill()


@pytest.mark.parametrize(
    ("spec", "error", "says"),
    [
        (
            {"name": "Chunk"},
            UnknownName,
            "Did you mean 'Chunked'.*Known: Chunked, ClaudeTurn, Package, Skill, WholeText",
        ),
        ({}, UnknownName, "Known: Chunked"),
        ({"name": "Chunked", "params": {"size": 3}}, UnknownName, "setting of Chunked.*chunk_size"),
        ({"name": "Chunked", "params": {"overlap": "many"}}, BadSetting, "overlap = 'many' is not a whole number"),
        ({"name": "Chunked", "params": [1]}, BadSetting, "expected settings by name"),
        (["Chunked"], BadSetting, "is no strategy"),
        ({"name": "Chunked", "params": {"max_tokens": 0}}, BadSetting, "lowest value is 4"),
        ({"name": "Chunked", "params": {"chunk_size": 100}}, BadSetting, "overlap = 200 is not smaller"),
    ],
)
def test_a_spec_that_cannot_be_read(spec, error, says):
    with pytest.raises(error, match=says) as caught:
        strategy_from_spec(spec)
    assert isinstance(caught.value, ValueError)


class Wrapped:
    """A strategy of somebody's own, around a shipped one."""

    def __init__(self, inner: IndexingStrategy) -> None:
        self.inner = inner

    def decompose(self, artifact_id, raw, metadata=None) -> IndexPlan:
        return self.inner.decompose(artifact_id, raw, metadata)


class Subclassed(Chunked):
    pass


@pytest.mark.parametrize(
    "strategy",
    [Wrapped(Skill()), Subclassed(), Package(deps_template=" ".join), Package(deps_template=lambda n: n[0])],
)
def test_what_a_spec_cannot_hold_is_refused_rather_than_dropped(strategy):
    with pytest.raises(BadInput, match="cannot be written down"):
        strategy_to_spec(strategy)


def test_ids_tell_every_setting_apart_and_last():
    strategies = [
        WholeText(), WholeText(kind="b"), Chunked(), Chunked(overlap=9), Chunked(max_tokens=99),
        Chunked(max_tokens=9), Skill(), Package(), Package(embed_deps=True), ClaudeTurn(), Wrapped(Skill()),
        Wrapped(WholeText()), Subclassed(),
        Package(deps_template=lambda names: names[0]), Package(deps_template=lambda names: names[-1]),
    ]  # fmt: skip
    assert len({strategy_id(strategy) for strategy in strategies}) == len(strategies)
    assert strategy_id(Wrapped(Chunked())) == strategy_id(Wrapped(Chunked()))
    code = "from ir_core.strategies import *; print(strategy_id(Chunked(max_tokens=250)))"
    elsewhere = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()
    assert elsewhere == strategy_id(Chunked(max_tokens=250))


def test_forms_can_be_made_of_every_setting():
    for kind in STRATEGIES:
        for setting in params.params_of(kind):
            assert setting.help.endswith((".", "”"))
            assert params.checked(setting, setting.default) == setting.default
    assert [setting.name for setting in params.params_of(Package)] == [
        "chunk_size", "overlap", "max_tokens", "token_model", "embed_deps", "deps_template",
    ]  # fmt: skip
    assert list(STRATEGY_REGISTRY.values()) == [WholeText, Chunked, Skill, Package, ClaudeTurn]
    assert list(STRATEGY_REGISTRY) == [kind.__name__ for kind in STRATEGY_REGISTRY.values()]
