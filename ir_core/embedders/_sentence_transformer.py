"""Any sentence-transformers model as an ``Embedder``.

The model is used by one thread at a time, one micro-batch at a time, queries first. Query batches use one torch
thread where idle threads spin (``model_files.torch_threads``), else all of them, as documents do.
"""

from __future__ import annotations

import hashlib
import json
import math
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from typing import Any

import numpy as np

from ir_core.embedders._known import known_model
from ir_core.embedders._queue import QueriesFirst
from ir_core.errors import ModelUnavailable
from ir_core.model_files import (
    ModelFiles,
    first_line,
    quiet_loading,
    read_tokenizer,
    torch_threads,
    use_threads,
)
from ir_core.protocols import Vectors
from ir_core.text import encodable

BATCH = 32
UNLIMITED = 1_000_000
"""``max_tokens`` of a model that names no limit."""


class SentenceTransformerEmbedder:
    """:param files: the model's folder.
    :param dim: and ``max_tokens``, where they are known beforehand, let the model itself be loaded on first use.
    :raises ModelUnavailable: when the folder holds no sentence-transformers model.

    ``query_prefix`` and ``document_prefix`` are put before queries and documents: the model's own, else those it is
    known by name to need.
    """

    def __init__(
        self,
        files: ModelFiles,
        *,
        name: str | None = None,
        languages: frozenset[str] | None = None,
        max_tokens: int | None = None,
        dim: int | None = None,
    ) -> None:
        self.name = name or files.name
        self.files = files
        own = _own_prompts(files)
        known = known_model(self.name, str(files.path))
        self.languages = languages or files.languages or (known.languages if known else None)
        self._added = {"query": known.query, "document": known.document} if known and not own else {}
        self.query_prefix = {**own, **self._added}.get("query", "")
        self.document_prefix = {**own, **self._added}.get("document", "")
        self._turns = QueriesFirst()
        self._loading = threading.Lock()
        self._loaded: Any = None
        self.max_tokens = max_tokens or _limit(self._model.max_seq_length)
        self.dim = dim or int(self._model.encode(["dimension"], **_OPTIONS).shape[1])
        short = self.name.rstrip("/\\").replace("\\", "/").rsplit("/", 1)[-1]
        self.fingerprint = f"{short}:{files.sha256[:16]}:{self.max_tokens}:{self.dim}"
        if any(self._added.values()):  # the model's own prompts are among its files
            added = json.dumps(self._added, sort_keys=True).encode()
            self.fingerprint += f":{hashlib.sha256(added).hexdigest()[:8]}"

    def encode_document(self, texts: Sequence[str]) -> Vectors:
        """(n, dim) float32, unit rows, with ``document_prefix``; texts over ``max_tokens`` are cut."""
        return self._encode(texts, "encode_document", self._turns.document)

    def encode_query(self, texts: Sequence[str]) -> Vectors:
        """(n, dim) float32, unit rows, with ``query_prefix``."""
        return self._encode(texts, "encode_query", self._turns.query)

    def token_counts(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text as a document, special ones and the prefix counted, before any cut."""
        if not texts:
            return []
        plain = [self.document_prefix + encodable(text) for text in texts]
        return [len(encoding) for encoding in self._tokenizer.encode_batch_fast(plain)]

    def _encode(self, texts: Sequence[str], method: str, turn: Callable[[], AbstractContextManager[None]]) -> Vectors:
        vectors = np.zeros((len(texts), self.dim), dtype=np.float32)
        # Similar lengths together: a batch costs as much as its longest text.
        order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            encode = getattr(self._model, method)
            threads = torch_threads()
            with turn():
                use_threads(threads.queries if method == "encode_query" else threads.documents)
                vectors[rows] = encode([encodable(texts[row]) for row in rows], **_OPTIONS)
        return _unit(vectors)

    @property
    def _model(self) -> Any:
        with self._loading:
            if self._loaded is None:
                self._loaded = _load(self.files)
                self._loaded.prompts = {**self._loaded.prompts, **self._added}
            return self._loaded

    @cached_property
    def _tokenizer(self) -> Any:
        file = self.files.path / "tokenizer.json"
        if file.is_file():
            return read_tokenizer(file.read_text("utf-8"))
        # A model saved without it; the library makes one from the vocabulary it has.
        return read_tokenizer(self._model.tokenizer.backend_tokenizer.to_str())


def _own_prompts(files: ModelFiles) -> dict[str, str]:
    """The prompts in the model's own configuration, by the library's own order (``encode_document``); {} where all
    are empty, as it writes them for a model that has none."""
    file = files.path / "config_sentence_transformers.json"
    try:
        prompts = json.loads(file.read_text("utf-8")).get("prompts") or {} if file.is_file() else {}
    except (ValueError, AttributeError):
        return {}  # the library says what is wrong with it
    document = next((prompts[key] for key in ("document", "passage", "corpus") if key in prompts), None)
    found = {"query": prompts.get("query") or "", "document": document or ""}
    return found if any(found.values()) else {}


def _limit(length: float | None) -> int:
    """Tokens that a model reads. One without attention (static embeddings) says that it has no limit."""
    return int(length) if length and math.isfinite(length) else UNLIMITED


def _load(files: ModelFiles) -> Any:
    torch_threads()
    from sentence_transformers import SentenceTransformer

    way_out = "Give the folder or the name of a sentence-transformers model."
    if not files.weights:
        raise ModelUnavailable(f"{files.name!r} holds no model weights (*.safetensors). {way_out}")
    try:
        with quiet_loading():
            return SentenceTransformer(str(files.path), local_files_only=True)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise ModelUnavailable(f"{files.name!r} cannot be loaded: {first_line(error)} {way_out}") from error


_OPTIONS = {"batch_size": BATCH, "show_progress_bar": False, "convert_to_numpy": True, "normalize_embeddings": True}


def _unit(vectors: Vectors) -> Vectors:
    """Unit rows; a zero row becomes the first axis, so that every row has length 1."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Vectors = (vectors / np.where(lengths > 0, lengths, 1.0)).astype(np.float32, copy=False)
    unit[(lengths == 0).ravel(), 0] = 1.0
    return unit
