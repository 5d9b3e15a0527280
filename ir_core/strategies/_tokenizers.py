"""The subword tokenizer of a model, by the Rust library that made it; needs neither the model nor torch."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ir_core.errors import ModelUnavailable
from ir_core.model_files import file_sha256, read_tokenizer, resolve
from ir_core.text import encodable


class SubwordTokenizer:
    """:raises ModelUnavailable: when the model, or its ``tokenizer.json``, is nowhere to be had."""

    def __init__(self, name: str) -> None:
        file = resolve(name, weights=False).path / "tokenizer.json"
        if not file.is_file():
            raise ModelUnavailable(f"The model {name!r} has no tokenizer.json, which says where each token stands.")
        self._tokenizer = read_tokenizer(file.read_text("utf-8"))
        self.name = name
        self.special: int = self._tokenizer.num_special_tokens_to_add(False)
        """Tokens that the model adds to each text, such as [CLS] and [SEP]."""
        self.fingerprint = file_sha256(file)[:12]

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """(start, end) in characters of each token, special ones left out."""
        return list(self._tokenizer.encode(encodable(text), add_special_tokens=False).offsets)

    def count(self, text: str) -> int:
        return self.counts([text])[0]

    def counts(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, special ones not counted."""
        plain = [encodable(text) for text in texts]
        return [len(item) for item in self._tokenizer.encode_batch_fast(plain, add_special_tokens=False)]


@lru_cache(maxsize=8)
def open_tokenizer(name: str) -> SubwordTokenizer:
    """:raises ModelUnavailable: as :class:`SubwordTokenizer`; a failure is not remembered."""
    return SubwordTokenizer(name)
