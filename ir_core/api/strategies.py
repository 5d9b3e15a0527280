"""What of a document is embedded and matched: the strategies of :mod:`ir_core.strategies`, under the same names."""

from ir_core.strategies import (
    DFLT_CHUNK_MAX_TOKENS,
    STRATEGY_REGISTRY,
    Chunked,
    ClaudeTurn,
    IndexingStrategy,
    Package,
    Skill,
    WholeText,
    strategy_from_spec,
    strategy_to_spec,
    text_of,
)

__all__ = [
    "DFLT_CHUNK_MAX_TOKENS",
    "STRATEGY_REGISTRY",
    "Chunked",
    "ClaudeTurn",
    "IndexingStrategy",
    "Package",
    "Skill",
    "WholeText",
    "strategy_from_spec",
    "strategy_to_spec",
    "text_of",
]
