"""all-MiniLM-L6-v2, the default: small, quick, English only, installed as a package so that no hub is needed."""

from __future__ import annotations

from dataclasses import dataclass

from ir_core.embedders._sentence_transformer import SentenceTransformerEmbedder
from ir_core.model_files import resolve


@dataclass(frozen=True)
class MiniLM:
    name = "all-MiniLM-L6-v2"
    label = "MiniLM (English)"
    summary = "Reads English, up to 256 tokens of each text, on the processor alone; 384 dimensions."
    reference = "Wang et al. 2020 (MiniLM); Reimers and Gurevych 2019 (sentence-transformers)"
    aliases = ("sentence-transformers/all-MiniLM-L6-v2", "minilm")
    order = 1
    languages = frozenset({"en"})
    max_tokens = 256
    dim = 384

    def open(self) -> SentenceTransformerEmbedder:
        """:raises ModelUnavailable: when its package is not installed and no hub answers, or it was altered."""
        return SentenceTransformerEmbedder(
            resolve(self.name), name=self.name, languages=self.languages, max_tokens=self.max_tokens, dim=self.dim
        )
