"""What the strategies that cut texts into pieces share: their settings, and the choice of characters or tokens."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ir_core.errors import BadSetting, ModelUnavailable
from ir_core.model_files import DEFAULT_MODEL
from ir_core.params import checked, param, params_of
from ir_core.schema import Surface, surface_id
from ir_core.strategies._chunking import Slice, character_slices, token_slices
from ir_core.strategies._tokenizers import SubwordTokenizer, open_tokenizer

DFLT_CHUNK_MAX_TOKENS = 250
"""all-MiniLM-L6-v2 reads 256 tokens: two places for [CLS]/[SEP], the rest for the drift of re-tokenising a slice."""


class TokenizerUnavailable(UserWarning):
    """A strategy that was asked for tokens cuts by characters, because the tokenizer is nowhere to be had."""


def check_settings(strategy: Any) -> None:
    """:raises BadSetting: for a setting of the wrong type, out of range or not among its choices."""
    for setting in params_of(type(strategy)):
        value = getattr(strategy, setting.name)
        if not callable(value):
            object.__setattr__(strategy, setting.name, checked(setting, value))


@dataclass(frozen=True, kw_only=True)
class Pieces:
    """Settings of a strategy that cuts texts; not a strategy itself.

    :raises BadSetting: when the overlap is not smaller than the chunk.
    """

    chunk_size: int = param(1200, help="Characters in a chunk, at most.", low=1, high=1_000_000, step=50)
    overlap: int = param(
        200,
        help="Characters a chunk shares with the one before it, at most. With max tokens set, the same share of it.",
        low=0,
        high=1_000_000,
        step=10,
    )
    max_tokens: int | None = param(
        None,
        help="Tokens in a chunk, at most, as the embedder counts them ([CLS] and [SEP] among them). Replaces the "
        "chunk size; empty cuts by characters.",
        low=4,
        high=1_000_000,
        step=10,
    )
    token_model: str | None = param(
        None, help="Model whose tokens are counted; empty takes all-MiniLM-L6-v2.", advanced=True
    )

    def __post_init__(self) -> None:
        check_settings(self)
        if self.overlap >= self.chunk_size:
            raise BadSetting(
                f"overlap = {self.overlap} is not smaller than chunk_size = {self.chunk_size}, so chunks would not "
                f"move on. It must be smaller: set overlap, too, to at most {self.chunk_size - 1} (such as "
                f"chunk_size={self.chunk_size},overlap={self.chunk_size // 6}), or take larger chunks."
            )

    @cached_property
    def tokenizer(self) -> SubwordTokenizer | None:
        """The one whose tokens are counted; None when characters are: by choice, or for want of it (warned of)."""
        if self.max_tokens is None:
            return None
        try:
            return open_tokenizer(self.token_model or DEFAULT_MODEL)
        except ModelUnavailable as error:
            warnings.warn(
                f"Chunks are cut by characters ({self.chunk_size} each), not by {self.max_tokens} tokens: {error}",
                TokenizerUnavailable,
                stacklevel=2,
            )
            return None

    @property
    def unit(self) -> str:
        """What is counted, for the strategy's id: the same settings cut otherwise without the tokenizer."""
        return f"tokens:{self.tokenizer.fingerprint}" if self.tokenizer else "characters"

    def slices(self, text: str) -> list[Slice]:
        """(start, end) in characters of each piece; none of them is blank."""
        if self.tokenizer is None or self.max_tokens is None:
            return character_slices(text, self.chunk_size, self.overlap)
        limit = max(1, self.max_tokens - self.tokenizer.special)
        return token_slices(text, self.tokenizer, limit, limit * self.overlap // self.chunk_size)

    def chunks(self, artifact_id: str, kind: str, text: str, first: int = 0) -> list[Surface]:
        """One surface per piece; their ids count from ``first``."""
        found = self.slices(text)
        return [
            Surface(
                surface_id(artifact_id, kind, first + number),
                artifact_id,
                kind,
                text[start:end],
                "chunk",
                {
                    "surface_index": first + number,
                    "chunk_index": number,
                    "n_chunks": len(found),
                    "start": start,
                    "end": end,
                },
            )
            for number, (start, end) in enumerate(found)
        ]


def single(artifact_id: str, kind: str, text: str, index: int = 0, granularity: str = "field") -> Surface:
    """A surface that is the only one of its kind."""
    where = {"surface_index": index, "chunk_index": 0, "n_chunks": 1}
    return Surface(surface_id(artifact_id, kind, index), artifact_id, kind, text, granularity, where)
