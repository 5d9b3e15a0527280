"""Indexing strategies: what of an artifact is embedded and matched, and what is only filtered on.

A strategy is a frozen dataclass with ``decompose(artifact_id, raw, metadata=None) -> IndexPlan``, and ``kinds``, the
kinds of surface it makes. A new one is a new file in this package.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ir_core.protocols import IndexingStrategy
from ir_core.registry import Registry
from ir_core.strategies import _specs, _words
from ir_core.strategies._payload import text_of
from ir_core.strategies._settings import DFLT_CHUNK_MAX_TOKENS, TokenizerUnavailable
from ir_core.strategies.chunked import Chunked
from ir_core.strategies.claude_turn import ClaudeTurn
from ir_core.strategies.package import Package
from ir_core.strategies.skill import Skill
from ir_core.strategies.whole_text import WholeText

STRATEGIES: Registry[Any] = Registry("ir_core.strategies", "strategy")
STRATEGY_REGISTRY: dict[str, type[Any]] = {kind.name: kind for kind in STRATEGIES}


def strategy_to_spec(strategy: IndexingStrategy) -> dict[str, Any]:
    """``{"name", "params"}`` of a shipped strategy, scalars only.

    :raises BadInput: for a custom or wrapped strategy, or a callable ``deps_template``.
    """
    return _specs.to_spec(strategy, STRATEGY_REGISTRY)


def strategy_from_spec(spec: Mapping[str, Any] | None) -> IndexingStrategy | None:
    """The strategy a spec describes. None gives None, and the source's own default applies.

    :raises UnknownName: for a strategy or setting nobody knows; the message lists the known ones.
    :raises BadSetting: for a setting out of range.
    """
    return _specs.from_spec(spec, STRATEGY_REGISTRY)


def strategy_words(spec: Mapping[str, Any]) -> str:
    """What a person is shown of a spec: "Chunks, max tokens 250"."""
    return _words.words_of(spec, STRATEGY_REGISTRY.get(str(spec["name"])))


def strategy_id(strategy: IndexingStrategy) -> str:
    """A name for the strategy with exactly these settings, the same in every process; part of an index fingerprint.

    Custom strategies are told apart by their class, their ``decompose`` and their attributes.
    """
    return _specs.strategy_id_of(strategy, STRATEGY_REGISTRY)


__all__ = [
    "DFLT_CHUNK_MAX_TOKENS",
    "STRATEGIES",
    "STRATEGY_REGISTRY",
    "Chunked",
    "ClaudeTurn",
    "IndexingStrategy",
    "Package",
    "Skill",
    "TokenizerUnavailable",
    "WholeText",
    "strategy_from_spec",
    "strategy_id",
    "strategy_to_spec",
    "strategy_words",
    "text_of",
]
